import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const protocol = readFileSync(resolve(import.meta.dirname, '../../../src/protocol.ts'), 'utf8')

/** Returns the method names of a contract type in src/protocol.ts, or of the types that it joins. */
export function namesOf(contract: string): string[] {
  const [, type = ''] = new RegExp(`^export type ${contract} = (.*?)(?:^}|\\n\\n)`, 'ms').exec(protocol) ?? []
  const names = type.startsWith('{')
    ? [...type.matchAll(/^ {2}(\w+)\(/gm)].map(([, name = '']) => name)
    : (type.match(/\w+/g) ?? []).flatMap(namesOf)
  if (names.length === 0) throw new Error(`src/protocol.ts has no methods of ${contract}`)
  return names
}
