import { z } from 'zod'
import { readTextFile } from '../bundledFiles.ts'
import { address, type ChainConfig, type TokenInfo } from '../config.ts'
import type { Log } from '../log.ts'
import { toName, toSymbol } from './sanitizeName.ts'

/** tokenlists.org */
const listShape = z.object({ name: z.string(), tokens: z.array(z.unknown()) })

const placeShape = z.object({ chainId: z.int() })

/** API fields that token lists lack. */
const extensionsShape = z.object({
  domainVersion: z.string().exactOptional(),
  eip2612: z.boolean().exactOptional(),
  isFoT: z.boolean().exactOptional(),
})

const entryShape = z
  .object({
    address,
    symbol: z.string().transform(toSymbol).pipe(z.string().min(1)),
    name: z.string().transform(toName),
    decimals: z.int().min(0).max(255),
    logoURI: z.string().default(''),
    tags: z.array(z.string()).default([]),
    extensions: extensionsShape.catch({}).default({}),
  })
  .transform(({ extensions, ...token }): TokenInfo => ({ ...token, ...extensions }))

/**
 * Loads tokens beyond the config's. Throws an Error for an invalid file; a failing URL adds nothing, as third
 * parties must not prevent a start.
 */
export async function loadTokenList(
  place: string,
  config: ChainConfig,
  log?: Log,
  patienceMs = 5_000,
): Promise<TokenInfo[]> {
  if (!isUrl(place)) return parseTokenList(await readJson(place), place, config, log)
  try {
    return parseTokenList(await fetchJson(place, patienceMs), place, config, log)
  } catch (error) {
    log?.warn(
      { list: place, fault: faultOf(error) },
      'there is no token list: only the config’s tokens are listed',
    )
    return []
  }
}

export function isUrl(place: string): boolean {
  return /^https?:\/\//.test(place)
}

/** Parses a token list; invalid and repeated entries are logged and skipped. */
export function parseTokenList(
  data: unknown,
  place: string,
  { chainId, tokens }: ChainConfig,
  log?: Log,
): TokenInfo[] {
  const list = listShape.safeParse(data)
  if (!list.success) throw new Error(`${place} is not a token list. ${faultsOf(list.error)}`)
  const found = new Map<string, TokenInfo>()
  const faults: string[] = []
  for (const [i, entry] of list.data.tokens.entries()) {
    const of = placeShape.safeParse(entry)
    if (of.success && of.data.chainId !== chainId) continue
    const token = entryShape.safeParse(entry)
    if (!of.success) faults.push(`${nameOf(entry, i)}: ${faultsOf(of.error)}`)
    else if (!token.success) faults.push(`${nameOf(entry, i)}: ${faultsOf(token.error)}`)
    else if (found.has(token.data.address)) faults.push(`${nameOf(entry, i)}: is listed twice`)
    else found.set(token.data.address, token.data)
  }
  if (faults.length > 0)
    log?.warn({ list: place, faults: faults.slice(0, 20) }, `${faults.length} listed tokens are left out`)
  if (found.size === 0 && list.data.tokens.length > 0)
    log?.warn({ list: place }, `the token list has no token of chain ${chainId}`)
  for (const { address } of tokens) found.delete(address)
  return [...found.values()]
}

/** The largest known lists have 3 MB. */
const maxBytes = 20_000_000

async function fetchJson(url: string, patienceMs: number): Promise<unknown> {
  const response = await fetch(url, { signal: AbortSignal.timeout(patienceMs) })
  if (!response.ok) throw new Error(`HTTP ${response.status}`)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > maxBytes) throw new Error(`It has more than ${maxBytes} bytes.`)
    chunks.push(chunk)
  }
  return JSON.parse(Buffer.concat(chunks).toString())
}

async function readJson(file: string): Promise<unknown> {
  const text = await readTextFile(file).catch((cause: NodeJS.ErrnoException) => {
    throw new Error(`The token list ${file} cannot be read (${cause.code}).`, { cause })
  })
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Error(`The token list ${file} is not JSON.`, { cause })
  }
}

function nameOf(entry: unknown, index: number): string {
  const { symbol, address } = (entry ?? {}) as { symbol?: unknown; address?: unknown }
  return `${typeof symbol === 'string' ? symbol.slice(0, 20) : 'entry'} ${index} (${String(address).slice(0, 42)})`
}

function faultsOf(error: z.ZodError): string {
  return error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; ')
}

/** `fetch` has the reason in its cause. */
function faultOf(error: unknown): string {
  const { message, cause } = error as Error
  return cause instanceof Error ? cause.message || message : message
}
