import { type Logger, pino } from 'pino'

/** Lines of JSON. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

export const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof logLevels)[number]

export type LogOptions = {
  level?: LogLevel
  /** The node's URL often holds a key; whatever of it gets into a line by accident is blotted out. */
  rpcUrl?: string
  /** Where lines go; standard output unless given. */
  to?: { write(line: string): void }
}

export function createLog({ level = 'info', rpcUrl, to }: LogOptions = {}): Log {
  const secrets = rpcUrl === undefined ? [] : secretsOf(rpcUrl)
  const options = {
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    hooks: {
      streamWrite: (line: string) => secrets.reduce((text, secret) => text.replaceAll(secret, '…'), line),
    },
  }
  return to === undefined ? pino(options) : pino(options, to)
}

/** The parts of a URL that are nobody's business, as they are written inside JSON; the longest first. */
function secretsOf(rpcUrl: string): string[] {
  const { href, pathname, search, username, password } = new URL(rpcUrl)
  const path = pathname.length > 1 ? pathname : ''
  return [rpcUrl, href, path + search, path, search, username, password]
    .filter((part) => part.length >= shortestSecret)
    .map((part) => JSON.stringify(part).slice(1, -1))
}

/** Shorter parts are no keys, and may be any word of a line. */
const shortestSecret = 8
