/**
 * The wallet's own reasons why a simulation fails or is impossible. Stored with records, so they must not
 * change; the UI translates them.
 */
export const simulationReasons = {
  insufficientFunds: 'The account cannot pay for it',
  unsupported: 'The node cannot simulate',
  creationUnsupported: 'Your node cannot try out the creation of a contract',
  balancesUnread: 'The node cannot read the balances after it',
  recipientUnread: 'The node cannot read what the receiver gets',
  tooManyTokens: 'Too many tokens take part in it',
  tooMuchData: 'It carries too much data',
  tooManyLogs: 'It logs more than the wallet reads',
  tooMuchGas: 'It uses more gas than the node simulates',
  tokensVary: 'It touches other tokens each time',
  none: 'no reason was given',
} as const
