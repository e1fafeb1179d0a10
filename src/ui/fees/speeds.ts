import type { FeeSpeed } from '../../domain/swap/swap.ts'
import { defineMessage, t } from '../../i18n/translate.ts'

/** Presets, lowest first. */
export const speeds = ['slow', 'normal', 'fast'] as const

const names = {
  slow: defineMessage('Slow'),
  normal: defineMessage('Normal'),
  fast: defineMessage('Fast'),
} as const

export function speedName(speed: FeeSpeed): string {
  return typeof speed === 'string' ? t(names[speed]) : t('Custom')
}
