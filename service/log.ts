import { type Logger, pino } from 'pino'

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

export const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof logLevels)[number]

export type LogOptions = {
  level?: LogLevel
  /** Redacted from every line, as it may hold a key. */
  rpcUrl?: string
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

/** Longest first, JSON-escaped. */
function secretsOf(rpcUrl: string): string[] {
  const { href, pathname, search, username, password } = new URL(rpcUrl)
  const path = pathname.length > 1 ? pathname : ''
  return [rpcUrl, href, path + search, path, search, username, password]
    .filter((part) => part.length >= minSecret)
    .map((part) => JSON.stringify(part).slice(1, -1))
}

/** Shorter parts could be ordinary words. */
const minSecret = 8
