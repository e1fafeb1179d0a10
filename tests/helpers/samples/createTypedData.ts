/** `type` is EIP-712's encodeType; its first struct is primary. */
export function typedDataOf(type: string, message: object, domain: object) {
  const structs = [...type.matchAll(/([\w:]+)\(([^)]*)\)/g)].map(([, name = '', members = '']) => [
    name,
    members.split(',').map((member) => {
      const [type = '', name = ''] = member.split(' ')
      return { type, name }
    }),
  ])
  return { domain, types: Object.fromEntries(structs), primaryType: `${structs[0]?.[0]}`, message }
}
