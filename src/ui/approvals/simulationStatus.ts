import type { Risk } from '../../domain/dapp/risk.ts'
import { isRejection } from '../../domain/dapp/uncheckedRisks.ts'
import { encode } from '../../domain/json.ts'
import type { WalletError } from '../../errors.ts'
import { t } from '../../i18n/translate.ts'
import type { PreviewState } from '../../state/approvals/callPreview.ts'

/** Whether calls may be sent, and how that is said. */
export type SimulationStatus = {
  label: string
  /** The most that the fee may be. Absent while it cannot be sent. */
  feeCap: bigint | undefined
  isDangerous: boolean
  /** The words say that it fails, or that nobody knows. */
  mayFail: boolean
}

/** The fee that is agreed to where the node has told none, in wei for each call. What costs more is not signed. */
const unseenFeeCap = 10n ** 16n

/** Whatever the user decides by and that a renewal may change: what happens, and the fee as it is written. */
export function reviewedCalls(
  state: PreviewState,
  { label }: SimulationStatus,
  fee: string | undefined,
): string {
  return state.status === 'ready' ? `${encode(state.preview.simulation)} ${fee}` : label
}

/** Returns the label of the box that acknowledges every grave risk, or undefined where there is none. */
export function acknowledgementLabel(risks: Risk[], say: (risk: Risk) => string): string | undefined {
  const grave = risks.filter(({ isGrave }) => isGrave)
  const [only, ...others] = grave
  if (only === undefined) return undefined
  if (others.length === 0) return say(only)
  // A fee is agreed to by its amount.
  const fees = grave.filter(({ kind }) => kind === 'fee').map(say)
  return [...fees, t('I’ve read all of these warnings and want to continue.')].join(' ')
}

/** `label` is what the button says when nothing speaks against it. */
export function simulationStatus(
  state: PreviewState,
  risks: Pick<Risk, 'isGrave'>[],
  { label, calls }: { label: string; calls: number },
): SimulationStatus {
  const isDangerous = risks.some(({ isGrave }) => isGrave)
  if (state.status === 'idle' || (state.status === 'loading' && !state.slow)) {
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

/** Returns why the wallet itself refuses to sign calls as things stand. */
export function getRejection(state: PreviewState): WalletError | undefined {
  const error = state.status === 'failed' ? state.error : state.status === 'ready' ? state.trouble : undefined
  return error !== undefined && isRejection(error.code) ? error : undefined
}
