import { defineMessage } from '../../../i18n/translate.ts'

const otherService = defineMessage(
  'Sluice rejected it and nothing was signed. Try again later, or use another RPC or swap service.',
)

/** Messages by `facts.fact`. */
export const unsafeSentences: Record<string, { what: string; next: string }> = {
  sender: { what: defineMessage('The transaction is from a different account.'), next: otherService },
  router: {
    what: defineMessage('The transaction isn’t for the router you reviewed.'),
    next: defineMessage(
      'Sluice rejected it and nothing was signed. Use another RPC or swap service, or check the router in the network settings.',
    ),
  },
  chain: { what: defineMessage('The transaction is for a different network.'), next: otherService },
  code: {
    what: defineMessage('There’s no contract at the address to pay or approve.'),
    next: defineMessage('Nothing was signed. Check the RPC and swap service in the network settings.'),
  },
  deadline: {
    what: defineMessage('The transaction has expired or stays valid too long.'),
    next: defineMessage(
      'Nothing was signed. Check your device’s clock, try again, or use another RPC or swap service.',
    ),
  },
  sell: { what: defineMessage('The transaction sells a different token.'), next: otherService },
  buy: { what: defineMessage('The transaction buys a different token.'), next: otherService },
  amount: { what: defineMessage('The transaction sells a different amount.'), next: otherService },
  value: {
    what: defineMessage('The transaction sends a different native token amount.'),
    next: otherService,
  },
  flags: {
    what: defineMessage('The transaction changes how the router works.'),
    next: defineMessage(
      'Sluice rejected it and nothing was signed. It could sell only part of the amount instead of all of it.',
    ),
  },
  receiver: { what: defineMessage('The transaction pays a different recipient.'), next: otherService },
  fee: {
    what: defineMessage('The transaction takes a partner fee you didn’t set.'),
    next: otherService,
  },
  path: { what: defineMessage('The transaction trades through an unknown token.'), next: otherService },
  permit: { what: defineMessage('The transaction uses a permit you didn’t choose.'), next: otherService },
  selector: {
    what: defineMessage('The transaction calls an unsupported function.'),
    next: defineMessage(
      'Sluice rejected it and nothing was signed. “Strict transaction checks” in Settings controls this.',
    ),
  },
  untried: {
    what: defineMessage('Your RPC couldn’t simulate this swap, and nothing else confirms it.'),
    next: defineMessage(
      'Nothing was signed. Use an RPC that supports eth_simulateV1, or another swap service.',
    ),
  },
  encoding: {
    what: defineMessage('The transaction data is malformed and may hide something.'),
    next: otherService,
  },
  token: {
    what: defineMessage('The requested approval is for a different token.'),
    next: otherService,
  },
  data: {
    what: defineMessage('The requested approval is for a different spender or amount.'),
    next: otherService,
  },
  gas: {
    what: defineMessage('The transaction requests more gas than a swap can need.'),
    next: otherService,
  },
  decimals: {
    what: defineMessage('The token list and the token contract disagree on decimals.'),
    next: defineMessage('Sluice rejected it and nothing was signed. Avoid this token.'),
  },
  pair: { what: defineMessage('The route starts or ends with a different token.'), next: otherService },
}
