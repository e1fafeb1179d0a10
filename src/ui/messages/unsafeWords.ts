import { defineMessage } from '../../i18n/translate.ts'
import type { Sentence } from './errors.ts'

const otherService = defineMessage('It was refused and nothing was signed. Try later or use another service.')

/** What of the service's transaction was not as agreed, by `facts.fact`. */
export const unsafeSentences: Record<string, Sentence> = {
  sender: { what: defineMessage('The service’s transaction is one of another account.'), next: otherService },
  router: {
    what: defineMessage('The service’s transaction goes to another contract than the router you reviewed.'),
    next: defineMessage(
      'It was refused and nothing was signed. Use another service, or look at the pinned router in the settings.',
    ),
  },
  chain: { what: defineMessage('The service’s transaction is for another network.'), next: otherService },
  code: {
    what: defineMessage('There is no contract at the address that this transaction would pay or approve.'),
    next: defineMessage('Nothing was signed. Check the network’s node and swap service in the settings.'),
  },
  deadline: {
    what: defineMessage('The service’s transaction has expired already, or would stay valid for too long.'),
    next: defineMessage('Nothing was signed. Check this device’s clock, try again, or use another service.'),
  },
  sell: { what: defineMessage('The service’s transaction sells another token.'), next: otherService },
  buy: { what: defineMessage('The service’s transaction buys another token.'), next: otherService },
  amount: { what: defineMessage('The service’s transaction sells another amount.'), next: otherService },
  value: {
    what: defineMessage('The service’s transaction sends another amount of coins along.'),
    next: otherService,
  },
  flags: {
    what: defineMessage('The service’s transaction changes how the router works.'),
    next: defineMessage(
      'It was refused and nothing was signed. It may sell a part only, where you wanted all.',
    ),
  },
  receiver: { what: defineMessage('The service’s transaction pays somebody else.'), next: otherService },
  fee: {
    what: defineMessage('The service’s transaction takes a partner fee that is not yours.'),
    next: otherService,
  },
  selector: {
    what: defineMessage('The service’s transaction calls a function that the wallet does not read.'),
    next: defineMessage(
      'It was refused and nothing was signed. “Only the router’s general entry point” in the settings decides.',
    ),
  },
  untried: {
    what: defineMessage('Your node could not try this swap out, and nothing else vouches for it.'),
    next: defineMessage('Nothing was signed. Set a node that knows eth_simulateV1, or use another service.'),
  },
  encoding: {
    what: defineMessage('The service’s transaction is written in a way that hides things.'),
    next: otherService,
  },
  token: {
    what: defineMessage('The approval that the service asks for is for another token.'),
    next: otherService,
  },
  data: {
    what: defineMessage('The approval that the service asks for is for another spender or amount.'),
    next: otherService,
  },
  gas: {
    what: defineMessage('The service’s transaction asks for more gas than a swap can need.'),
    next: otherService,
  },
  decimals: {
    what: defineMessage('The service counts this token’s decimals in another way than its contract.'),
    next: defineMessage('It was refused and nothing was signed. Leave this token alone.'),
  },
  pair: { what: defineMessage('The service’s route begins or ends with another token.'), next: otherService },
}
