/** Typed data as a site sends it: `type` is the type's text (encodeType of EIP-712), its first struct the primary one. */
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
