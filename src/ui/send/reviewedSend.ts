import type { TransferPreview, TransferRequest } from '../../domain/activity/transfer.ts'
import { encode } from '../../domain/json.ts'
import type { Address } from '../../domain/token/token.ts'
import { formatAmount } from '../format/numbers.ts'

type Shown = { ask: TransferRequest; preview: Pick<TransferPreview, 'feeCap' | 'simulation' | 'arrives'> }

/** Serializes the reviewed transfer, to detect changes. The fee is rounded as displayed. */
export function reviewedSend({ ask, preview }: Shown, account: Address): string {
  const { feeCap, simulation, arrives = null } = preview
  return encode([account, ask, formatAmount(feeCap, 18), arrives, simulation])
}
