import { appendFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

/**
 * `npm run torture` keeps the output in bench/results/torture.md.
 *
 * @param name row of docs/security/threats.md
 */
export function figure(name: string, said: string): void {
  console.log(`${name}: ${said}`)
  const { FIGURES } = process.env
  if (FIGURES !== undefined)
    appendFileSync(FIGURES, `${JSON.stringify({ name, said, file: callingTest() })}\n`)
}

/** Works in Vitest and Playwright. */
function callingTest(): string {
  const [file = ''] = /\/\S+\.(test|spec)\.ts/.exec(new Error().stack ?? '') ?? []
  return relative(root, file)
}
