import { appendFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')

/**
 * Says what a test counted, for readers. `npm run torture` keeps these lines (bench/results/torture.md).
 * @param name the row of docs/security.md, or rows, that it is for
 */
export function figure(name: string, said: string): void {
  console.log(`${name}: ${said}`)
  const { FIGURES } = process.env
  if (FIGURES !== undefined)
    appendFileSync(FIGURES, `${JSON.stringify({ name, said, file: callingTest() })}\n`)
}

/** Vitest and Playwright have each a way of their own to tell the file; the stack is the same in both. */
function callingTest(): string {
  const [file = ''] = /\/\S+\.(test|spec)\.ts/.exec(new Error().stack ?? '') ?? []
  return relative(root, file)
}
