/** Typed data as a site sends it. The first struct of `type` (EIP-712's encodeType) is the primary type. */
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
