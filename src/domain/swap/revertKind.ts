export type RevertKind =
  /** Below its minimum, or above its maximum. */
  | 'price'
  | 'deadline'
  | 'balance'
  | 'allowance'
  /** Expired at Permit2. */
  | 'allowance-expired'
  | 'approval'
  /** Lack of balance or allowance, or rejected by the token. */
  | 'transfer'
  | 'signature'
  | 'recipient'
  /** Paused, or limited by account or amount. */
  | 'restricted'
  | 'pool'
  | 'route'
  | 'gas'
  | 'arithmetic'

/**
 * Classifies a text ("UniswapV2: K") or a custom error ("ReturnTooLow (returned 99, minimum 100)"). The whole
 * text must match: a single word may stand in a sentence with the opposite meaning.
 */
export function parseRevertKind(reason: string): RevertKind | undefined {
  const name = parseErrorName(reason)
  if (name === 'Panic') return parsePanicKind(reason)
  if (name !== undefined && Object.hasOwn(names, name)) return names[name]
  const text = (name ?? reason).slice(0, 300).replace(prefixOfNodes, '')
  const [whole, claim] = [text, text.replace(labels, '')].map(plainWords)
  return kinds.find(([, words]) => words.test(claim ?? '') || words.test(whole ?? ''))?.[0]
}

const prefixOfNodes = /^(execution reverted|VM Exception while processing transaction: revert(ed)?):? ?/i

/** "UniswapV2Router: ", "TransferHelper::transferFrom: ", "Dai/". */
const labels = /^([\w.-]{1,40}( [\w.-]{1,40})?(::?|\/) ?){1,3}/

/** Solidity: 0x11 overflow, 0x12 division by zero. */
function parsePanicKind(reason: string): RevertKind | undefined {
  return /\(reason 1[78]\)$/.test(reason) ? 'arithmetic' : undefined
}

/** Returns a custom error's name. */
export function parseErrorName(reason: string): string | undefined {
  const name = /^[A-Z][A-Za-z0-9]{1,99}(?= ?\(|$)/.exec(reason)?.[0]
  return name !== undefined && /[a-z]/.test(name) ? name : undefined
}

/** INSUFFICIENT_OUTPUT_AMOUNT and InsufficientOutputAmount become the same words. */
function plainWords(reason: string): string {
  const words = reason.replace(/([a-z0-9])([A-Z])/g, '$1 $2')
  return words
    .replace(/[^\p{L}\p{N}#]+/gu, ' ')
    .trim()
    .toLowerCase()
}

/** Misleading words, mostly of the router (contracts/ISwapRouter.sol). */
const names: Readonly<Record<string, RevertKind>> = {
  ...each('pool', 'AmountTooLarge IdleTouched NothingBought NothingToSell PoolFailed Unsold WrongDemand'),
  ...each('pool', 'CurrencyNotSettled PoolNotInitialized'),
  ...each('route', 'Reentered WrongExecutor WrongSrcReceiver WrongDstReceiver UnknownFlags WrongValue'),
  ...each('route', 'WrongDataLength EmptyBranch WrongBranchWeight RepeatedToken WrongTarget WrongOrder'),
  ...each('route', 'WrongWeight UnknownKind WrongTokens WrongPoolFee FeeTooHigh NoReferrer'),
  ...each('route', 'NotRouter NotArmed NotWrapped V2InvalidPath V3InvalidSwap'),
  ...each('signature', 'WrongPermitLength WrongPermit WrongPermitToken InvalidPermit PermitExpired'),
  ...each('signature', 'SignatureExpired InvalidSigner InvalidNonce InvalidSignature InvalidSignatureLength'),
  ...each('signature', 'InvalidContractSignature InvalidAccountNonce ECDSAInvalidSignature'),
  ...each('signature', 'ERC2612ExpiredSignature ERC2612InvalidSigner'),
  ...each('approval', 'ApprovalFailed ApproveFailed'),
  ...each('transfer', 'SafeERC20FailedOperation TransferFailed TransferFromFailed'),
  ...each('restricted', 'AccessControlUnauthorizedAccount OwnableUnauthorizedAccount'),
  AllowanceExpired: 'allowance-expired',
  AddressInsufficientBalance: 'balance',
  PriceLimitAlreadyExceeded: 'price',
  InsufficientETH: 'balance',
  InsufficientToken: 'balance',
  NativeTransferFailed: 'recipient',
  ETHTransferFailed: 'recipient',
}

function each(kind: RevertKind, list: string): Record<string, RevertKind> {
  return Object.fromEntries(list.split(' ').map((name) => [name, kind]))
}

/** Matches the whole reason; `_` stands for `fillers`. */
function says(...sentences: string[]): RegExp {
  return new RegExp(`^(${sentences.join('|').replaceAll('_', fillers)})$`)
}

const fillers =
  '((the|your|users?|senders?|accounts?|tokens?|owners?|spenders?|callers?|from|in|current|input|native|eth|ether|erc20|bep20|erc1155) )*'

const who =
  '((the )?(accounts?|senders?|recipients?|receivers?|address|users?|from|to|callers?) (is |are )?)?'
const service = '((the )?(token|contract|transfers?|trading|swaps?|trades?|pool|router|market|protocol) )'
const output = '(returns?|output|fill|received|amount out|out amount|proceeds)'

/** The first match counts. */
const kinds: readonly [RevertKind, RegExp][] = [
  ['gas', says('(evm )?out ?of ?gas', '(too little|insufficient|not enough) gas', 'gas required exceeds .*')],
  [
    'allowance',
    says(
      '_(insufficient|not enough|low) _allowance',
      '_((transfer |burn )?amount )?exceeds _allowance',
      '_allowance (is )?(too low|too small|low|insufficient|not enough|exceeded)',
      '(insufficient|missing|not enough) (token )?approval',
      'bal#41[47]',
    ),
  ],
  [
    'balance',
    says(
      '_(insufficient|not enough|low) _(balance|funds)( for( \\w+){1,8})?',
      '_((transfer |burn )?amount )?exceeds _balance',
      '_balance (is )?(too low|too small|low|insufficient|not enough)',
      'bal#4[01]6',
    ),
  ],
  [
    'signature',
    says(
      '(erc20 permit )?(invalid|expired|bad|wrong|incorrect) (permit )?(signature|signer|permit|sig)',
      '(ecdsa )?invalid signature( length| [sv] value)?',
      '(the )?(permit )?(signature|permit) (is |has )?(expired|invalid|not valid|already used)',
      'erc20 permit expired deadline|dai invalid nonce',
    ),
  ],
  [
    'price',
    says(
      // Uniswap and its forks, Universal Router, 1inch, 0x, Curve, KyberSwap.
      '(v[234] )?(too little received|too much requested)|excessive input amount',
      '(price )?slippage|price slippage (check|exceeded)|(too much|excessive) slippage',
      '(max(imum)? )?slippage (limit |tolerance )?(is )?(exceeded|reached)',
      `(the )?${output}( amount)?( of tokens)? (is |are )?(too (low|little|small)|not enough|insufficient|below minimum)`,
      `(the )?${output}( amount)?( of tokens)? (is |are )?(less th[ae]n|under|below) (the )?(expected|min(imum)?)`,
      `(the )?min(imum)? ${output}( amount)? (is )?not (reached|met)`,
      `(too little|insufficient|not enough) ${output}( amount)?`,
      'exchange resulted in fewer coins than expected|price (moved|changed)|price limit (already )?exceeded',
      'bal#50[57]|spl',
    ),
  ],
  [
    'deadline',
    says(
      '((the )?(transaction|tx|swap|trade|quote|request) )?(is |has |was )?expired',
      '(transaction|tx|swap|trade|quote|request) too old',
      '((the )?(transaction|tx|swap|trade) )?deadline (has |is |was )?(passed|expired|exceeded)',
      'expired deadline|past deadline|bal#508',
    ),
  ],
  [
    'recipient',
    says(
      'ste|(failed|unable|cannot) to send (eth|ether|value|native( token)?)( recipient may have reverted)?',
      '(eth|ether|native( token)?|value) (transfer|send) (failed|failure)',
    ),
  ],
  [
    'restricted',
    says(
      `enforced pause|(${service}(is |are )?)?(currently )?paused|(token transfer )?while paused`,
      `${who}(in )?(black|deny|block) ?list(ed)?|${who}not (white|allow) ?listed|${who}(frozen|sanctioned)`,
      `${who}(not authori[sz]ed|unauthori[sz]ed)`,
      'trading (is |has )?(not (yet )?(enabled|open|started|live|active|allowed)|disabled|closed)( yet)?',
      '(exceeds )?(the )?max(imum)? (wallet|tx|transaction|transfer)( amount| size| limit)?( (is )?exceeded)?',
      'bal#402',
    ),
  ],
  [
    'transfer',
    // Uniswap v3's TransferHelper, v2's pairs and its library, SafeERC20.
    says(
      'stf|st|tf|(token )?transfer( from)? (has )?failed|failed to transfer( tokens?)?',
      'safe erc20 (low level call failed|erc20 operation did not succeed)|bal#418',
    ),
  ],
  ['approval', says('sa|approve failed|approval failed')],
  [
    'pool',
    // Uniswap v2 ("K", "LOCKED"), v3 ("LOK", "IIA", "AS"), Balancer.
    says(
      '(v[23] )?(insufficient|not enough) liquidity|insufficient input amount|k|lok|iia|as',
      '\\w*(swap|pancake|pair|pool)( v2)? locked|bal#[0-3]\\d\\d',
    ),
  ],
  [
    'arithmetic',
    says(
      '((safe|ds) math )?((addition|subtraction|multiplication|arithmetic|add|sub|mul) )?(over|under)flow( or overflow)?',
      '(safe math )?(division|div|divide|modulo) by zero',
    ),
  ],
]
