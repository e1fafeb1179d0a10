import type { ProgressPart } from '../../domain/activity/progress.ts'
import { spokenLocale, t } from '../../i18n/translate.ts'

/** Names what a part does while it runs. */
export function progressTitle(kind: ProgressPart['kind'], sold: string, bought: string): string {
  switch (kind) {
    case 'reset':
      return t('Resetting the {symbol} allowance', { symbol: sold })
    case 'approve':
      return t('Approving {symbol}', { symbol: sold })
    case 'sign':
      return t('Signing for {symbol}', { symbol: sold })
    case 'wrap':
    case 'unwrap':
      return t('Converting {sold} → {bought}', { sold, bought })
    case 'swap':
    case 'call':
      return t('Swapping {sold} → {bought}', { sold, bought })
  }
}

/** The worker looks for a receipt at most this often, so shorter times are not seen. */
const shortestSeconds = 2

/** Formats a usual time as "12 s", or "2 min" from two minutes on. */
export function formatUsual(ms: number, locale = spokenLocale()): string {
  const seconds = Math.max(shortestSeconds, Math.ceil(ms / 1_000))
  const isLong = seconds >= 120
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: isLong ? 'minute' : 'second',
    unitDisplay: 'short',
  }).format(isLong ? Math.ceil(seconds / 60) : seconds)
}

/** Formats an elapsed time as "0:07", "12:30" or "1:02:03". */
export function formatElapsed(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000))
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60]
  const two = (value: number) => String(value).padStart(2, '0')
  const tail = `${hours > 0 ? two(minutes) : minutes}:${two(seconds % 60)}`
  return hours > 0 ? `${hours}:${tail}` : tail
}
