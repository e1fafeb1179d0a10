import * as v from 'valibot'
import { mayHoldKey, mayHoldSecret } from '../../domain/mayHoldSecret.ts'
import { parseAddress } from '../../domain/token/token.ts'

/** Unsaved values by form, then field. */
export type FormDrafts = Record<string, Record<string, unknown>>

const text = v.pipe(
  v.string(),
  v.maxLength(2_000),
  v.check((typed) => !mayHoldSecret(typed), 'may-hold-secret'),
)
// RPC URLs may hold a key in the path, but no credentials.
const rpc = v.pipe(
  text,
  v.check((typed) => !/\/\/[^/?#]*@/.test(typed), 'has-credentials'),
)
const url = v.pipe(
  rpc,
  v.check((typed) => !mayHoldKey(typed), 'may-hold-key'),
)
const chainId = v.pipe(v.number(), v.safeInteger(), v.minValue(1))
const sources = v.pipe(v.array(v.pipe(v.string(), v.maxLength(100))), v.maxLength(200))
const words = v.picklist([12, 24])

type Fields = Record<string, v.GenericSchema>

// Excludes `serviceKey`; password, phrase and key forms have no drafts.
const networkFields: Fields = {
  name: text,
  symbol: text,
  serviceUrl: url,
  serviceVersion: v.picklist(['6.1', '3.0']),
  rpcUrl: rpc,
  spareRpcUrl: rpc,
  explorerUrl: url,
  router: text,
  feeLimit: text,
  tipLimit: text,
  wrapped: text,
  v3Factory: text,
  quoter: text,
  swapRouter: text,
}

const routeFields: Fields = {
  protocols: sources,
  excludedProtocols: sources,
  complexityLevel: text,
  parts: text,
  mainRouteParts: text,
  connectorTokens: text,
  gasLimit: text,
  gasPrice: text,
  fee: text,
  referrer: text,
}

const ofChain = /^[1-9]\d{0,15}$/
const isAddress = (of: string) => parseAddress(of) === of

/** Allowed fields by form; `isOf` checks the rest of a form's name. */
const forms: readonly { prefix: string; isOf(rest: string): boolean; fields: Fields }[] = [
  {
    prefix: 'network-new',
    isOf: (rest) => rest === '',
    fields: { rpcUrl: rpc, found: v.object({ url: rpc, chainId }) },
  },
  { prefix: 'network-new-', isOf: (rest) => ofChain.test(rest), fields: networkFields },
  { prefix: 'network-', isOf: (rest) => ofChain.test(rest), fields: networkFields },
  { prefix: 'routes-', isOf: (rest) => ofChain.test(rest), fields: routeFields },
  {
    prefix: 'contact-',
    isOf: (rest) => rest === 'new' || isAddress(rest),
    fields: { name: text, address: text, note: text },
  },
  { prefix: 'account-', isOf: isAddress, fields: { name: text } },
  {
    prefix: 'slippage-',
    isOf: (rest) => rest === 'default' || rest === 'swap',
    fields: { percent: text },
  },
  { prefix: 'watched', isOf: (rest) => rest === '', fields: { address: text, isAccepted: v.boolean() } },
  { prefix: 'phrase-length', isOf: (rest) => rest === '', fields: { words } },
]

/** Drops unknown or damaged fields and those that may hold a secret. */
export function parseFormDrafts(stored: unknown): FormDrafts {
  const drafts = toEntries(stored).map(([name, edits]) => [name, parseEdits(name, edits)] as const)
  return Object.fromEntries(drafts.filter(([, edits]) => Object.keys(edits).length > 0))
}

function parseEdits(name: string, edits: unknown): Record<string, unknown> {
  const form = forms.find(({ prefix, isOf }) => name.startsWith(prefix) && isOf(name.slice(prefix.length)))
  if (form === undefined) return {}
  const typed = new Map(toEntries(edits))
  return Object.fromEntries(
    Object.entries(form.fields).flatMap(([field, schema]) => {
      const parsed = v.safeParse(schema, typed.get(field))
      return parsed.success ? [[field, parsed.output]] : []
    }),
  )
}

function toEntries(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}
