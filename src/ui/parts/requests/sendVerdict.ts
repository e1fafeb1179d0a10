import { encode } from '../../../domain/json.ts'
import { t } from '../../../language/translate.ts'
import type { PreviewState } from '../../../state/swap/preview.ts'
import { sayFeeDoubt } from '../../words/feeDoubtWords.ts'
import type { Doubt } from './callView.ts'

/** Whether calls may be sent, and how that is said. */
export type Verdict = {
  label: string
  /** Absent while it cannot be sent yet: the most that the fee may be. */
  feeCap: bigint | undefined
  isDangerous: boolean
  /** The words beside a box that has to be ticked first. */
  tick: string | undefined
  /** The words say that it fails, or that nobody knows. */
  mayFail: boolean
}

/** The fee that is agreed to where the node has told none, in wei for each call. What costs more is not signed. */
const unseenFeeCap = 10n ** 16n

/** Whatever the user decides by and that a renewal may change: what happens, and the fee as it is written. */
export function contentOf(state: PreviewState, { label }: Verdict, fee: string | undefined): string {
  return state.status === 'ready' ? `${encode(state.preview.simulation)} ${fee}` : label
}

/** Returns why the fee needs the user's word. */
export function feeDoubtOf(state: PreviewState, coin: string): string | undefined {
  const doubt = state.status === 'ready' ? state.preview.feeDoubt : undefined
  return doubt && sayFeeDoubt(doubt, coin)
}

/** Returns the verdict with one more doubt in its tick. */
export function withDoubt(verdict: Verdict, words: string): Verdict {
  return { ...verdict, isDangerous: true, tick: verdict.tick ? `${verdict.tick} ${words}` : words }
}

/** Returns what is at stake where calls are expected to fail: contracts may fail only while they are simulated. `value` as it is shown. */
export function stakeOf(value: string | undefined): string {
  return value === undefined
    ? t('If it does not, it may take anything of yours.')
    : t('If it does not, it takes up to {amount} and may take anything of yours.', { amount: value })
}

type Asked = {
  label: string
  calls: number
  /** Native tokens sent along, as they are shown. */
  value?: string | undefined
}

/** `label` is what the button says when nothing speaks against it. */
export function verdictOf(state: PreviewState, doubts: Doubt[], { label, calls, value }: Asked): Verdict {
  const tick = doubts.find(({ isGrave }) => isGrave)?.words
  const isDangerous = tick !== undefined
  const unchecked = {
    label: t('Send unchecked'),
    isDangerous: true,
    tick: tick ?? t('The wallet could not check this. It may take anything of yours.'),
    mayFail: true,
  }
  if (state.status === 'idle' || (state.status === 'loading' && !state.slow)) {
    return { label: t('Checking…'), feeCap: undefined, isDangerous, tick, mayFail: false }
  }
  if (state.status !== 'ready') return { ...unchecked, feeCap: unseenFeeCap * BigInt(calls) }
  const { simulation, feeCap, isPlain } = state.preview
  if (simulation.status === 'succeeds') return { label, feeCap, isDangerous, tick, mayFail: false }
  const found = { ...unchecked, feeCap, ...(isPlain && { tick }) }
  if (simulation.status === 'unknown') return found
  const fails = tick ?? `${t('This is expected to fail.')} ${stakeOf(value)}`
  return { ...found, label: t('Send anyway'), tick: isPlain ? tick : fails }
}
