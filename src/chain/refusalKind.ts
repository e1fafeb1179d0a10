import type { Refusal } from './rpc.ts'

/**
 * The meaning of a JSON-RPC error, whichever client or provider words it. `limit` (rate limits, quotas) and
 * `outage` (internal errors, no access) say nothing about the call: another RPC may answer it, and the same
 * one may later.
 */
export type RefusalKind =
  | 'revert'
  | 'unaffordable'
  | 'nonce-used'
  | 'known'
  | 'underpriced'
  | 'lost-block'
  | 'unsupported'
  | 'limit'
  | 'outage'
  | 'other'

/**
 * Returns what an error means. Codes alone tell little: -32005 is a limit (EIP-1474) and too much gas (Besu),
 * -32015 a revert (OpenEthereum, Nethermind) and a gateway's timeout (proxyd). A contract chooses the words
 * of its revert, so reverts are recognised first.
 */
export function kindOf({ code, message, data }: Refusal): RefusalKind {
  if (code === 3 || /revert/i.test(message)) return 'revert'
  if (unaffordable.test(message)) return 'unaffordable'
  if (isNonceUsed(message)) return 'nonce-used'
  if (known.test(message)) return 'known'
  if (underpriced.test(message)) return 'underpriced'
  if (lostBlock.test(message)) return 'lost-block'
  if (failures.test(message) || (data ?? '0x').length >= selectorLength) return 'revert'
  if (limits.test(message)) return 'limit'
  if (code === -32015) return outages.test(message) ? 'outage' : 'revert'
  if (unsupportedCodes.has(code) || unsupported.test(message)) return 'unsupported'
  if (limitCodes.has(code) || vagueLimits.test(message)) return aboutCall.test(message) ? 'other' : 'limit'
  if (aboutExecution.test(message)) return 'other'
  return code === -32603 || isHttpFailure(code) || outages.test(message) ? 'outage' : 'other'
}

/** Of `0x` and four bytes. */
const selectorLength = 10

/**
 * HTTP statuses, and their like as JSON-RPC codes, of servers that do not serve the request (RFC 9110, 6585).
 */
export function isHttpFailure(status: number): boolean {
  return [401, 402, 403, 408, 425, 429].includes(status) || (status >= 500 && status <= 599)
}

/** Joins alternatives, so that each client's stand on a line of their own. */
function oneOf(...words: string[]): RegExp {
  return new RegExp(words.join('|'), 'i')
}

const unaffordable = oneOf(
  // geth, Erigon, Reth, Anvil, Nethermind, OpenEthereum, Ethermint ("…: insufficient funds").
  'insufficient (\\w+ for )?(sender |account |payer )?(funds|balance)',
  'InsufficientFunds|INSUFFICIENT_PAYER_BALANCE',
  // Ethermint's own, before its code's words were appended.
  'balance < tx cost',
  // Besu.
  'up-?front cost .*(exceeds|greater than).* balance',
  // revm, by Anvil and Reth.
  'lack of funds',
  // Hardhat, Ganache.
  '(doesn.t|does not) have enough (funds|balance)',
  // Arbitrum, ZKsync.
  'not enough (funds|balance)',
  'would cause overdraft',
)

/** Ethermint and Ganache tell one that is too high in the same words: the numbers differ. */
function isNonceUsed(message: string): boolean {
  if (usedNonce.test(message)) return true
  const { sent, next } = sentNonces.map((words) => words.exec(message)?.groups).find(Boolean) ?? {}
  return sent !== undefined && next !== undefined && BigInt(sent) < BigInt(next)
}

const sentNonces = [
  /\b(?:nonce|sequence)\b.*\bgot (?<sent>\d+)\b.*\bexpected (?<next>\d+)/i,
  /\b(?:nonce|sequence)\b.*\bexpected (?<next>\d+)\b.*\bgot (?<sent>\d+)/i,
  /\baccount has nonce of: (?<next>\d+).*\btx has nonce of: (?<sent>\d+)/i,
]

const usedNonce = oneOf(
  // geth, Erigon, Reth, Anvil, Besu, Hardhat, ZKsync; OpenEthereum.
  'nonce( is)? too low',
  // Nethermind before its words were geth's.
  'OldNonce',
  // Besu's detail, Ethermint's.
  'below sender account nonce|nonce is lower than',
  'nonce has already been used',
  // Substrate.
  'Pool\\(Stale\\)|InvalidTransaction::Stale',
)

const known = oneOf(
  // geth, Erigon, Reth; Nethermind before, Gnosis.
  'already ?known',
  // Besu, Hardhat, older geth, ZKsync.
  'known transaction',
  // Anvil, OpenEthereum, Substrate.
  'already ?imported',
  // Ethermint, Tendermint, Sei.
  'already exists|already in (the )?(mem|tx)?pool|already have transaction',
)

const underpriced = oneOf(
  // geth, Erigon, Reth, Anvil, Besu, Hardhat.
  'replacement transaction underpriced',
  // Nethermind before.
  'ReplacementNotAllowed',
  // OpenEthereum; Kaia.
  'another (transaction with|tx which has the) same nonce',
  // Substrate.
  'TooLowPriority|priority is too low',
)

/**
 * A block was taken back while the RPC answered, or a machine behind its address lags. Asking again helps.
 */
const lostBlock =
  /header not found|(unknown|missing) block|block not found|block is out of range|BlockOutOfRange/i

const failures = oneOf(
  // Anvil; Hardhat, Ganache; OpenEthereum.
  '^EVM error|VM (execution error|exception)',
  'invalid ?(opcode|jump)|stack ?(underflow|overflow)|stack limit|out ?of ?gas|gas required exceeds',
  // OpenEthereum, Nethermind.
  'bad ?(instruction|jump)|access ?violation|static ?call ?violation|write protection',
  // Besu.
  'transaction processing could not be completed',
)

const limits = oneOf(
  'rate.?limit|request rate',
  'too many (requests|calls|connections)',
  'compute.?units?|quota|throttl|slow down|too much load',
  '(request|call|usage|credit)s? (limit|count)',
  'requests? (per|limited)',
  '(capacity|credits) (limit )?(exceed|reach|exhaust)|over capacity|traffic limit',
  '(free|current|your|paid) ?(tier|plan).*(limit|exceed|reach)|(limit|exceed|reach).*(free|current|your) ?(tier|plan)',
)

/** Less distinct: about the server only where no part of the call is named. */
const vagueLimits = oneOf(
  '(limit|capacity|throughput).*(exceed|reach|exhaust)|(exceed|reach|exhaust|over).*(limit|capacity|throughput)',
  'daily|monthly|hourly|per.(second|minute|hour|day|month)',
  'retry (in|after) \\d|insufficient credits|credit balance|upgrade (your|to)',
)

/** EIP-1474; proxies and providers; HTTP. */
const limitCodes = new Set([-32005, -32029, -32090, -32097, -32098, 402, 429])

/** Also the words of a transaction pool, and of log filters. */
const aboutCall = oneOf(
  'gas|fee\\b|nonce|sender|transaction|\\btx|signature|execution',
  'range|\\bblocks?\\b|\\blogs?\\b|results|batch|response|size|depth',
)

/** JSON-RPC 2.0, Besu ("not enabled"), QuickNode (by plan). */
const unsupportedCodes = new Set([-32601, -32602, -32604, -32612, -32613])

const unsupported = oneOf(
  '(method|\\b(eth|net|web3)_\\w+).*(not|unknown|unsupported|disabled|unavailable)',
  '(unknown|unrecognized|unsupported|invalid|missing).*(method|param|argument|field|value)',
  'not (supported|implemented)',
)

/** The weight of a call (geth: "execution aborted (timeout = 5s)"), and who may send. */
const aboutExecution = /execution|\bgas|sender/i

const outages = oneOf(
  'internal (json-?rpc |server )?error|method handler crashed',
  'unavailable|overload|unhealthy|not healthy|maintenance|shutting down|offline|backend.*healthy',
  'no (\\w+ )?(server|backend|upstream|node|provider)s?\\b|suitable provider',
  'bad gateway|(upstream|backend|gateway|service|server) (error|request|returned|(is )?busy)|forwarding request',
  'timed? ?out|deadline exceeded|connection (refused|reset|closed)|ECONN|network is unreachable',
  '(is|are|still) syncing|sync is still in progress',
  'temporar|please (retry|wait)|try again',
  'unauthori[sz]ed|forbidden|access denied|(not|be|must) (authenticated|authori[sz]ed)|api.?key|project id|inactive',
)
