import { erc20Abi, formatUnits, type Log, parseEventLogs, zeroAddress } from 'viem'
import { element } from './elements.ts'
import { type DemoToken, ether, shorten } from './tokens.ts'

export type Receipt = {
  status: string
  transactionHash: string
  blockNumber: string
  gasUsed: string
  logs: Log[]
}

export type SwapResult = { receipt: Receipt; transactions?: string[]; belowMinimum?: true }

type State = 'none' | 'pending' | 'done' | 'failed'

export function showState(state: State, title: string, text: string, facts: [string, string][] = []): void {
  element('result', HTMLElement).dataset.state = state
  element('result-title', HTMLElement).textContent = title
  element('result-text', HTMLElement).textContent = text
  element('result-facts', HTMLElement).replaceChildren(
    ...facts.flatMap(([name, value]) => [
      Object.assign(document.createElement('dt'), { textContent: name }),
      Object.assign(document.createElement('dd'), { textContent: value, title: value }),
    ]),
  )
}

/** Shows a mined swap. `read` calls a token's contract through the wallet. */
export async function showResult(
  { receipt, transactions = [], belowMinimum }: SwapResult,
  account: string,
  bought: DemoToken | undefined,
  read: (to: string, data: `0x${string}`) => Promise<`0x${string}`>,
): Promise<void> {
  const facts: [string, string][] = [
    ['Transaction', shorten(receipt.transactionHash)],
    ['Block', String(BigInt(receipt.blockNumber))],
    ['Gas used', BigInt(receipt.gasUsed).toLocaleString('en')],
    ['Transactions', String(transactions.length || 1)],
  ]
  if (BigInt(receipt.status) === 0n) {
    showState('failed', 'The swap reverted', 'Nothing was swapped. The network fee was paid.', facts)
    return
  }
  const received = bought && (await readReceived(receipt, account, bought, read))
  const title = received ? `Received ${received}` : 'Swapped'
  const text = belowMinimum
    ? 'Less than the minimum that the wallet showed.'
    : 'The wallet returned this receipt to the page.'
  showState(belowMinimum ? 'failed' : 'done', title, text, facts)
}

/** Undefined for the native token, which leaves no event. */
async function readReceived(
  { logs }: Receipt,
  account: string,
  { address, symbol }: DemoToken,
  read: (to: string, data: `0x${string}`) => Promise<`0x${string}`>,
): Promise<string | undefined> {
  if (address.toLowerCase() === ether.address) return undefined
  const amount = parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs })
    .filter((log) => log.address.toLowerCase() === address.toLowerCase())
    .filter(({ args }) => args.to.toLowerCase() === account.toLowerCase() && args.from !== zeroAddress)
    .reduce((sum, { args }) => sum + args.value, 0n)
  if (amount === 0n) return undefined
  // Selector of decimals().
  const decimals = Number(BigInt(await read(address, '0x313ce567')))
  return `${formatUnits(amount, decimals)} ${symbol}`
}
