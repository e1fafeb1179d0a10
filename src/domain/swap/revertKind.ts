/** Why a contract refused, as far as its words are known. */
export type RevertKind =
  /** It would have returned less than its minimum, or cost more than its maximum. */
  | 'price'
  | 'deadline'
  | 'balance'
  | 'allowance'
  /** A transfer failed, for want of balance or of allowance, or because the token refuses it. */
  | 'transfer'
  | 'signature'
  | 'recipient'
  /** A token or a contract is paused, or lets only some take part. */
  | 'restricted'
  | 'pool'
  /** The router cannot carry out what the swap service built. */
  | 'route'
  | 'gas'
  | 'arithmetic'

/**
 * Classifies the reason of a revert: a text ("UniswapV2: K"), or a custom error's name with or without its values
 * ("ReturnTooLow (returned 99, minimum 100)"). Undefined for one that is not known.
 */
export function revertKindOf(reason: string): RevertKind | undefined {
  const name = errorNameOf(reason)
  const ofName = name && Object.hasOwn(names, name) ? names[name] : undefined
  return ofName ?? kinds.find(([, words]) => words.test(plainWords(name ?? reason)))?.[0]
}

/** Returns the name of a custom error, which stands alone or before its values. */
export function errorNameOf(reason: string): string | undefined {
  const name = /^[A-Z][A-Za-z0-9]{1,99}(?= ?\(|$)/.exec(reason)?.[0]
  return name !== undefined && /[a-z]/.test(name) ? name : undefined
}

/** "INSUFFICIENT_OUTPUT_AMOUNT" and "InsufficientOutputAmount" alike: lower-case words. */
function plainWords(reason: string): string {
  const words = reason.slice(0, 300).replace(/([a-z0-9])([A-Z])/g, '$1 $2')
  return words
    .replace(/[^\p{L}\p{N}#]+/gu, ' ')
    .trim()
    .toLowerCase()
}

/** Errors whose words alone would say something else, most of them the router's (contracts/ISwapRouter.sol). */
const names: Readonly<Record<string, RevertKind>> = {
  ...each('pool', 'AmountTooLarge IdleTouched NothingBought NothingToSell Unsold WrongDemand'),
  ...each('pool', 'CurrencyNotSettled PoolNotInitialized'),
  ...each('route', 'Reentered WrongExecutor WrongSrcReceiver WrongDstReceiver UnknownFlags WrongValue'),
  ...each('route', 'EmptyRoute EmptyBranch WrongBranchWeight RepeatedToken WrongEnds WrongTarget WrongOrder'),
  ...each('route', 'WrongWeight UnknownKind WrongTokens WrongPoolFee WrongPoolId FeeTooHigh NoReferrer'),
  ...each('route', 'NotRouter NotArmed NotWrapped V2InvalidPath V3InvalidSwap'),
  ...each('signature', 'WrongPermitLength WrongPermit WrongPermitToken InvalidPermit PermitExpired'),
  ...each('restricted', 'ApprovalFailed ApproveFailed ERC20InvalidReceiver ERC20InvalidSender'),
  InsufficientETH: 'balance',
  InsufficientToken: 'balance',
  NativeTransferFailed: 'recipient',
  ETHTransferFailed: 'recipient',
}

function each(kind: RevertKind, list: string): Record<string, RevertKind> {
  return Object.fromEntries(list.split(' ').map((name) => [name, kind]))
}

/** Joins alternatives, so that each family's stand on a line of their own. */
function oneOf(...words: string[]): RegExp {
  return new RegExp(words.join('|'))
}

/** The first that fits counts. */
const kinds: readonly [RevertKind, RegExp][] = [
  ['gas', /\bout of gas\b|too little gas|(insufficient|not enough) gas\b|gas required exceeds/],
  // OpenZeppelin, Solady, Permit2 (AllowanceExpired), Dai, USDC.
  ['allowance', /allowance|not approved|(insufficient|missing|exceeds) approv/],
  [
    'balance',
    oneOf(
      '(insufficient|not enough|exceeds?|low)( \\w+){0,4} balance|insufficient funds',
      'balance( is)? (too low|low|exceeded|insufficient|not enough)',
    ),
  ],
  // Permit2, EIP-2612 and OpenZeppelin's ECDSA.
  ['signature', /signature|signer|\bpermit\b|\bnonce\b|ecdsa|erc20 ?permit/],
  [
    'price',
    oneOf(
      // Uniswap and its forks, Universal Router, 1inch, 0x, Curve, KyberSwap.
      'slippage|too much requested|excessive input|input( amount)? too (high|much)',
      '(returns?|output|fill|received|amount out|out amount|proceeds)( \\w+){0,3} (too (low|little|small)|below)',
      '(returns?|output|fill|received|amount out|out amount|proceeds)( \\w+){0,4} (not (enough|reached)|less)',
      '(returns?|output|received|amount out|out amount|proceeds)( \\w+){0,3} (insufficient|under min)',
      '(too little|insufficient|not enough|less|fewer|min|minimum)( \\w+){0,2} (returns?|output|receive|received)\\b',
      '(too little|insufficient|not enough|less|fewer|min|minimum)( \\w+){0,2} (amount out|out amount|coins)\\b',
      'price (limit|moved|changed|impact)',
      // Balancer; Uniswap v3.
      'bal#50[57]|^spl$',
    ),
  ],
  // Uniswap ("Transaction too old"), Balancer.
  ['deadline', /\bexpired?\b|\bexpiry\b|deadline|too old|bal#508/],
  [
    'recipient',
    oneOf(
      '^ste$|(failed|unable|cannot) to send (eth|ether|value|native)',
      '\\b(eth|ether|native|value)( \\w+){0,2} (transfer|send)( \\w+){0,2} (failed|failure)',
      '(transfer|send) (eth|ether|native|value)( \\w+){0,2} fail',
    ),
  ],
  [
    'restricted',
    oneOf(
      'paus|(black|deny) ?list|not whitelist|frozen|sanction|restricted|cool ?down|unauthori[sz]ed|\\bbots?\\b',
      'trading|not (open|started|live|launched)\\b|max(imum)? (wallet|tx|transaction|transfer)',
    ),
  ],
  // Uniswap v3's TransferHelper, v2's pairs and its library.
  [
    'transfer',
    /^(stf|st|tf|sa)$|transfer( from)? fail|safe ?erc20|transfer helper|failed to transfer|bal#401/,
  ],
  // Uniswap v2 ("K", "LOCKED"), v3 ("LOK", "IIA", "AS"), Balancer.
  [
    'pool',
    oneOf(
      'liquidity|\\bk$|insufficient (input|amount)|\\blocked\\b|\\bpools?\\b|^bal#',
      '^(iia|lok|as|l|m[01]|f[01]|tl[um]|tum|ai)$',
    ),
  ],
  ['arithmetic', /^panic\b|overflow|underflow|div(ision|ide) by zero|safe ?math|ds math/],
]
