import type { RpcError } from './errorObject.ts'

/** `other` is about the call; `limit`, `lost-block` and `outage` are not. */
export type RpcErrorKind =
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
 * Classifies a JSON-RPC error. Codes are ambiguous: -32005 is a limit (EIP-1474) or too much gas (Besu),
 * -32015 a revert (OpenEthereum, Nethermind) or a timeout (proxyd). Reverts come first, as contracts choose
 * their words.
 */
export function rpcErrorKind({ code, message, data }: RpcError): RpcErrorKind {
  if (code === 3 || /revert/i.test(message)) return 'revert'
  if (unaffordable.test(message)) return 'unaffordable'
  if (isNonceUsed(message)) return 'nonce-used'
  if (underpriced.test(message)) return 'underpriced'
  if (known.test(message)) return 'known'
  if (lostBlock.test(message)) return 'lost-block'
  if (failures.test(message) || (data ?? '0x').length >= selectorLength) return 'revert'
  if (limits.test(message) || limitCodes.has(code)) return 'limit'
  if (code === -32015) return outages.test(message) ? 'outage' : 'revert'
  if (denials.test(message)) return 'outage'
  if (unsupportedCodes.has(code) || unsupported.test(message)) return 'unsupported'
  const words = message.replace(methodName, '')
  if (code === eip1474Limit || vagueLimits.test(words)) return aboutCall.test(words) ? 'other' : 'limit'
  if (isHttpFailure(code) || (outages.test(words) && !aboutSending.test(words))) return 'outage'
  return aboutCall.test(words) ? 'other' : 'outage'
}

export function isServerTrouble(message: string): boolean {
  return [limits, vagueLimits, outages, denials].some((words) => words.test(message))
}

export function isNotAnswer(kind: RpcErrorKind): boolean {
  return kind === 'limit' || kind === 'outage' || kind === 'lost-block'
}

const selectorLength = 10

/** Returns true if the server does not serve the request (RFC 9110, 6585). */
export function isHttpFailure(status: number): boolean {
  return [401, 402, 403, 408, 425, 429].includes(status) || (status >= 500 && status <= 599)
}

function toOne(...words: string[]): RegExp {
  return new RegExp(words.join('|'), 'i')
}

const unaffordable = toOne(
  // geth, Erigon, Reth, Anvil, Nethermind, OpenEthereum, Ethermint ("…: insufficient funds").
  'insufficient (\\w+ for )?(sender |account |payer )?(funds?|balance)\\b',
  'InsufficientFunds|INSUFFICIENT_PAYER_BALANCE|(account|sender)( account)? balance is insufficient',
  'balance insufficient|gas required exceeds allowance \\(0\\)',
  // Older Ethermint.
  'balance < tx cost',
  // Besu.
  'up-?front cost .*(exceeds|greater than).* balance',
  // revm, by Anvil and Reth.
  'lack of funds',
  // Hardhat, Ganache.
  '(doesn.t|does not) have enough (funds|balance)',
  // Arbitrum, ZKsync.
  'not enough (funds|balance|cash)',
  'would cause overdraft',
  // Substrate's pool; Frontier.
  'InvalidTransaction::Payment|Invalid\\(Payment\\)|BalanceTooLow|OutOfFunds?\\b|out of funds',
)

/** Ethermint and Ganache word a nonce too high alike. */
function isNonceUsed(message: string): boolean {
  if (usedNonce.test(message)) return true
  const { sent, next } = sentNonces.map((words) => words.exec(message)?.groups).find(Boolean) ?? {}
  return sent !== undefined && next !== undefined && BigInt(sent) < BigInt(next)
}

const sentNonces = [
  /\b(?:nonce|sequence)\b.*\bgot (?<sent>\d+)\b.*\bexpected (?<next>\d+)/i,
  /\b(?:nonce|sequence)\b.*\bexpected (?<next>\d+)\b.*\bgot (?<sent>\d+)/i,
  /\b(?:nonce|sequence): (?<sent>\d+)\b.*\bexpected:? (?<next>\d+)/i,
  /\baccount has nonce of: (?<next>\d+).*\btx has nonce of: (?<sent>\d+)/i,
]

const usedNonce = toOne(
  // geth, Erigon, Reth, Anvil, Besu, Hardhat, ZKsync; OpenEthereum.
  'nonce( \\(?\\d+\\)?)?( is)? too (low|small|old)',
  // Older Nethermind.
  'OldNonce',
  // Besu's detail, Ethermint.
  'below sender account nonce|nonce( \\(?\\d+\\)?)? is (lower|less) than',
  'nonce (has )?(already|been)( been)? used|nonce is already used',
  // Filecoin.
  'minimum (expected )?nonce',
  // Substrate.
  'Pool\\(Stale\\)|InvalidTransaction::Stale|Invalid\\(Stale\\)',
)

const known = toOne(
  // geth, Erigon, Reth; older Nethermind, Gnosis.
  'already ?known',
  // Besu, Hardhat, older geth, ZKsync.
  'known transaction',
  // Anvil, OpenEthereum, Substrate.
  'already ?imported',
  // Ethermint, Tendermint, Sei.
  'already exists|already in (the )?(mem|tx)?(pool|cache)|already have transaction',
  'already received|duplicate (transaction|tx)',
)

const underpriced = toOne(
  // geth, Erigon, Reth, Anvil, Besu, Hardhat.
  'replacement (transaction|tx) (is )?underpriced',
  // Older Nethermind.
  'ReplacementNotAllowed',
  // OpenEthereum; Kaia.
  'another (transaction with|tx which has the) same nonce',
  'same nonce (already )?exists|nonce already exists',
  // Erigon; Reth, zkSync and others.
  'could not replace|replacement (gas |transaction |tx )?(fee|price)s? (is )?too low',
  'to replace (an |the )?existing|increase GasPremium',
  // Substrate.
  'TooLowPriority|priority is too low',
)

/** Reorg, or a lagging node. */
const lostBlock = toOne(
  'header (for hash |of block )?not found|headers? not available|(unknown|missing) (block|header)\\b',
  '(block|header)( (with |by )?(number|hash|height))?( \\S+)? (was |is )?not found|block .*could not be found',
  '(cannot|could not|unable to|failed to) (find|get|load) (the )?(block|header)\\b',
  'block is out of range|BlockOutOfRange|beyond (the )?(head|latest) block|(block|height) .*(in the future|not yet available)',
)

const failures = toOne(
  // Anvil; Hardhat, Ganache; OpenEthereum.
  '^EVM error|VM (execution error|exception)|EVM execution halted',
  'invalid ?(fe ?)?(opcode|jump)|stack ?(underflow|overflow)|stack limit|out ?of ?gas|gas required exceeds',
  // OpenEthereum, Nethermind.
  'bad ?(instruction|jump)|access ?violation|static ?call ?violation|write protection',
  // Besu.
  'transaction processing could not be completed',
  '^execution failed|(transaction|contract|call) execution failed|contract call failed|assertion failed',
  'call depth exceeded|return data out of bounds',
)

const limits = toOne(
  'rate.?limit|(request|query|call|transaction|rpc)s? (rate|frequency)|rate (is )?(exceed|too high)',
  'too (many|frequent) ([\\w-]+ ){0,2}(requests?|calls|connections|queries)|too (fast|frequently)',
  'compute.?units?|quota|throttl|slow down|too much load|\\b(cu|rps|tps|qps)\\b|concurren(t|cy) (limit|requests|calls)',
  '(request|call|usage|credit)s? (limit|count|queue)|exceed\\w* .*\\brequests\\b|(max|limit) .*\\brequests\\b.*(reach|exceed)',
  '(request|call)s? (per|limited)|per second|(out of|insufficient) credits|credit balance|credits? .*(deplet|exhaust)|temporar\\w+ (banned|blocked)',
  '(capacity|credits) (limit )?(exceed|reach|exhaust)|over capacity|traffic limit',
  '(free|current|your|paid) ?(tier|plan).*(limit|exceed|reach)|(limit|exceed|reach).*(free|current|your) ?(tier|plan)',
)

/** Only if no part of the call is named. */
const vagueLimits = toOne(
  '(limit|capacity|throughput).*(exceed|reach|exhaust)|(exceed|reach|exhaust|over).*(limit|capacity|throughput)',
  'daily|monthly|hourly|per.(minute|hour|day|month)',
  'retry (in|after) \\d|upgrade (your|to)',
)

const limitCodes = new Set([-32029, -32090, -32097, -32098, 402, 429])

const eip1474Limit = -32005

const methodName = /\b(eth|net|web3|debug|trace|txpool|personal|wallet|erigon|parity|engine)_\w+/gi

const aboutCall = toOne(
  '\\bgas|fee(s|cap)?\\b|nonce|sequence|sender|transaction|\\btx|\\bmempool|signatures?\\b|\\bsigne[rd]\\b|execution|chain ?id',
  '\\bevm\\b|opcode|\\bstack\\b|\\bcontract\\b|\\bcode\\b|call ?data|initcode|bytecode|return data|\\bblobs?\\b|EIP-?\\d|replay',
  'underpriced|overrid|\\brlp\\b|\\bhex\\b|unmarshal|deseriali|decod|oversized|access ?list|\\btrac(er|ing)\\b|\\binput\\b',
  'range|\\bblocks?\\b|\\blogs?\\b|results|batch|response (is )?too|\\bsize|depth|\\btopics?\\b|\\bfilters?\\b',
  '\\bbalance\\b|\\bfunds\\b|\\baddress(es)?\\b(?! (is |was |has been )?(block|banned|rate))|\\b(from|to) field',
)

/** JSON-RPC 2.0, Besu ("not enabled"), QuickNode (by plan). */
const unsupportedCodes = new Set([-32601, -32602, -32604, -32612, -32613, -32700])

const unsupported = toOne(
  '(method|\\b(eth|net|web3|debug|trace)_\\w+).*(not|unknown|unsupported|disabled|unavailable)',
  '(unknown|unrecognized|unsupported|invalid|missing|too many).*(method|param|argument|field|value)',
  'not (supported|implemented)|invalid (json(-rpc)? )?request|parse error',
)

const denials = toOne(
  'api.?key|(access|auth\\w*|jwt|bearer|personal|invalid|stale|expired) (access )?token|token (is |has )?expired|project id',
  '(chain|network) .*not (supported|enabled|available)|unsupported (chain|network)\\b(?! ?id)',
)

const aboutSending = toOne(
  'execution aborted',
  '(sender|account|address)\\b.*(authori[sz]ed|forbidden|denied)',
  '(authori[sz]ed|forbidden|denied) (sender|account|address)',
)

const outages = toOne(
  'internal (json-?rpc |server )?error|method handler crashed|(server|gateway|upstream|backend|service|node)s? (error|fail)',
  'unavailable|overload|unhealthy|not healthy|maintenance|shutting down|starting up|offline|backend.*healthy',
  'no (\\w+ )?(server|backend|upstream|node|provider|endpoint|peer|response)s?\\b|suitable provider',
  'bad gateway|(upstream|backend|gateway|service|server|node|system) (request|returned|(is )?(too )?busy)|forwarding request',
  'timed? ?out|deadline exceeded|connection (refused|reset|closed)|ECONN|network is unreachable|context cancell?ed|\\bEOF\\b',
  '(is|are|still) syncing|sync is still in progress|not (yet )?(in sync|synced)|\\b(is|blocks) behind\\b',
  'temporar|please (retry|wait)|try again|trie node|state .*(not|un)( is)? ?available|pruned',
  'unauthori[sz]ed|forbidden|access denied|(not|be|must) (authenticated|authori[sz]ed)|inactive|suspended|whitelist',
)
