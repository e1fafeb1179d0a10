import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const protocol = readFileSync(resolve(import.meta.dirname, '../../src/protocol.ts'), 'utf8')

/** Returns the method names of a contract type in src/protocol.ts. */
export function namesOf(contract: string): string[] {
  const [, body = ''] = new RegExp(`^export type ${contract} = {\n(.*?)^}`, 'ms').exec(protocol) ?? []
  return [...body.matchAll(/^ {2}(\w+)\(/gm)].map(([, name = '']) => name)
}
