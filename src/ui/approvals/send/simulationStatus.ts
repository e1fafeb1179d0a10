import type { Risk } from '../../../domain/dapp/risks/risk.ts'
import { isRejection } from '../../../domain/dapp/risks/uncheckedRisks.ts'
import { encode } from '../../../domain/json.ts'
import type { WalletError } from '../../../errors.ts'
import { t } from '../../../i18n/translate.ts'
import type { PreviewState } from '../../../state/approvals/callPreview.ts'

/** Send button derived from the simulation. */
export type SimulationStatus = {
  label: string
  /** In wei. Undefined while sending is impossible. */
  feeCap: bigint | undefined
  isDangerous: boolean
  /** True if the label warns of failure or missing simulation. */
  mayFail: boolean
}

/** Fee limit in wei per call if the RPC gave no fee. */
const unseenFeeCap = 10n ** 16n

/** Serializes the reviewed outcome and fee, to detect changes. */
export function reviewedCalls(
  state: PreviewState,
  { label }: SimulationStatus,
  fee: string | undefined,
): string {
  return state.status === 'ready' ? `${encode(state.preview.simulation)} ${fee}` : label
}

/** Returns the checkbox label for all grave risks, if any. */
export function acknowledgementLabel(risks: Risk[], say: (risk: Risk) => string): string | undefined {
  const grave = risks.filter(({ isGrave }) => isGrave)
  const [only, ...others] = grave
  if (only === undefined) return undefined
  if (others.length === 0) return say(only)
  // A fee is acknowledged by its amount.
  const fees = grave.filter(({ kind }) => kind === 'fee').map(say)
  return [...fees, t('I’ve read all of these warnings and want to continue.')].join(' ')
}

/** Returns the send button. `label` is used when nothing is wrong. */
export function simulationStatus(
  state: PreviewState,
  risks: Pick<Risk, 'isGrave'>[],
  { label, calls }: { label: string; calls: number },
): SimulationStatus {
  const isDangerous = risks.some(({ isGrave }) => isGrave)
  if (isAwaited(state)) {
    return { label: t('Checking…'), feeCap: undefined, isDangerous, mayFail: false }
  }
  if (getRejection(state) !== undefined)
    return { label, feeCap: undefined, isDangerous: false, mayFail: false }
  const unchecked = { label: t('Send without simulation'), isDangerous: true, mayFail: true }
  if (state.status !== 'ready') return { ...unchecked, feeCap: unseenFeeCap * BigInt(calls) }
  const { simulation, feeCap } = state.preview
  if (simulation.status === 'succeeds') return { label, feeCap, isDangerous, mayFail: false }
  if (simulation.status === 'unknown') return { ...unchecked, feeCap }
  return { ...unchecked, feeCap, label: t('Send anyway') }
}

/** True while the user should wait for the simulation. */
export function isAwaited(state: PreviewState): boolean {
  return state.status === 'idle' || (state.status === 'loading' && !state.slow)
}

/** Returns the error for which the wallet refuses to sign. */
export function getRejection(state: PreviewState): WalletError | undefined {
  const error = state.status === 'failed' ? state.error : state.status === 'ready' ? state.trouble : undefined
  return error !== undefined && isRejection(error.code) ? error : undefined
}
