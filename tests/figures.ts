import { appendFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')

/**
 * Prints a count; `npm run torture` keeps it in bench/results/torture.md.
 *
 * @param name row or rows of docs/security.md
 */
export function figure(name: string, said: string): void {
  console.log(`${name}: ${said}`)
  const { FIGURES } = process.env
  if (FIGURES !== undefined)
    appendFileSync(FIGURES, `${JSON.stringify({ name, said, file: callingTest() })}\n`)
}

/** From the stack, which Vitest and Playwright share. */
function callingTest(): string {
  const [file = ''] = /\/\S+\.(test|spec)\.ts/.exec(new Error().stack ?? '') ?? []
  return relative(root, file)
}
