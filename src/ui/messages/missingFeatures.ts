import { defineMessage, t } from '../../i18n/translate.ts'

/** By name as in src/evm/rpc/missingFeatures.ts, the weightiest first. */
const sentences: Record<string, string> = {
  eth_simulateV1: defineMessage(
    'This RPC can’t simulate transactions. Sluice checks their data alone, and refuses swaps it can’t verify that way.',
  ),
  eth_getLogs: defineMessage(
    'This RPC doesn’t serve logs. Sluice can’t list what you receive; balances are still correct.',
  ),
  eth_feeHistory: defineMessage(
    'This RPC has no fee history. Sluice estimates network fees from the latest block.',
  ),
  eth_maxPriorityFeePerGas: defineMessage(
    'This RPC doesn’t suggest priority fees. Sluice takes them from recent blocks.',
  ),
  'EIP-1559': defineMessage('This network has no base fee. Sluice pays a gas price instead.'),
  Multicall3: defineMessage('Multicall3 isn’t available here. Reading balances takes more requests.'),
}

/** Says what an RPC cannot do, and what the wallet does without it. */
export function describeMissingFeatures(lacks: string[] = []): string[] {
  return Object.entries(sentences).flatMap(([name, sentence]) => (lacks.includes(name) ? [t(sentence)] : []))
}
