import type { Speed } from '../../domain/swap/swap.ts'
import { t, wording } from '../../i18n/translate.ts'

/** By what others pay, the least first. */
export const speeds = ['slow', 'normal', 'fast'] as const

const names = { slow: wording('Slow'), normal: wording('Normal'), fast: wording('Fast') } as const

export function speedName(speed: Speed): string {
  return typeof speed === 'string' ? t(names[speed]) : t('Custom')
}
