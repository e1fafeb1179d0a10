import { appendFileSync } from 'node:fs'

/**
 * Says what a test counted, for readers. `npm run torture` keeps these lines (bench/results/torture.md).
 * @param name the row of docs/security.md, or rows, that it is for
 */
export function figure(name: string, said: string): void {
  console.log(`${name}: ${said}`)
  const { FIGURES } = process.env
  if (FIGURES !== undefined) appendFileSync(FIGURES, `${JSON.stringify({ name, said })}\n`)
}
