import type { Token } from '../../../domain/token/token.ts'
import { spokenLocale, t } from '../../../i18n/translate.ts'
import { formatSymbol } from '../../format/address.ts'
import { formatPercent } from '../../format/numbers.ts'

/** Holds no amounts, addresses or hashes: the picture is public. `at` is in milliseconds. */
export type ShareCard = {
  sell: Pick<Token, 'symbol' | 'address'>
  buy: Pick<Token, 'symbol' | 'address'>
  network: string
  /** Above the minimum. */
  moreBps: number
  at: number
}

export const cardSize = { width: 1200, height: 630 }

type Context = Pick<
  CanvasRenderingContext2D,
  | 'fillRect'
  | 'fillText'
  | 'beginPath'
  | 'roundRect'
  | 'fill'
  | 'stroke'
  | 'moveTo'
  | 'lineTo'
  | 'bezierCurveTo'
  | 'fillStyle'
  | 'strokeStyle'
  | 'lineWidth'
  | 'lineCap'
  | 'font'
  | 'textAlign'
  | 'textBaseline'
  | 'direction'
>

const colors = { ground: '#0d1316', panel: '#12333a', line: '#59cfe0', text: '#e8eff1', dim: '#97a7ae' }
const fonts = 'system-ui'
const margin = 90

/** Returns the card's texts. */
export function shareCardTexts({ sell, buy, network, moreBps, at }: ShareCard) {
  return {
    pair: t('{sold} → {bought}', { sold: formatSymbol(sell), bought: formatSymbol(buy) }),
    kept: t('Minimum kept'),
    more:
      moreBps < 1
        ? undefined
        : t('{percent} more than the guaranteed minimum', { percent: formatPercent(moreBps) }),
    where: [network, new Date(at).toLocaleDateString(spokenLocale(), { dateStyle: 'long' })].filter(Boolean),
  }
}

/** Draws 1200 × 630 pixels, in the reading direction. */
export function drawShareCard(context: Context, card: ShareCard, direction: 'ltr' | 'rtl' = 'ltr'): void {
  const { width, height } = cardSize
  const texts = shareCardTexts(card)
  // Keeps signs, and words of another script, in their order.
  const isolate = (text: string) => (direction === 'rtl' ? `\u2068${text}\u2069` : text)
  const start = direction === 'ltr' ? margin : width - margin
  const write = (text: string, y: number, font: string, color: string) => {
    context.font = `${font} ${fonts}`
    context.fillStyle = color
    context.fillText(text, start, y, width - 2 * margin)
  }
  context.direction = direction
  context.textAlign = 'start'
  context.textBaseline = 'alphabetic'
  context.fillStyle = colors.ground
  context.fillRect(0, 0, width, height)
  drawMark(context, direction === 'ltr' ? margin : width - margin - 96, 70)
  write(texts.pair, 300, '600 64px', colors.text)
  write(texts.kept, 390, '600 46px', colors.line)
  if (texts.more !== undefined) write(isolate(texts.more), 450, '400 40px', colors.text)
  write(texts.where.map(isolate).join(' · '), 560, '400 32px', colors.dim)
  context.textAlign = 'end'
  context.font = `600 40px ${fonts}`
  context.fillStyle = colors.text
  context.fillText('Sluice', width - start, 130)
}

/** Sluice's mark, as in Logo.tsx, three times its size. */
function drawMark(context: Context, left: number, top: number): void {
  const at = (x: number, y: number): [number, number] => [left + x * 3, top + y * 3]
  context.fillStyle = colors.panel
  context.beginPath()
  context.roundRect(...at(0, 0), 96, 96, 27)
  context.fill()
  context.strokeStyle = colors.line
  context.lineWidth = 6
  context.lineCap = 'round'
  context.beginPath()
  context.moveTo(...at(8, 19))
  context.lineTo(...at(8, 7))
  context.lineTo(...at(24, 7))
  context.lineTo(...at(24, 19))
  context.stroke()
  context.fillStyle = colors.line
  context.beginPath()
  context.roundRect(...at(11.5, 7), 27, 22, 4)
  context.fill()
  for (const y of [20.5, 25.5]) {
    context.beginPath()
    context.moveTo(...at(6.5, y))
    context.bezierCurveTo(...at(8.9, y - 2.2), ...at(10.8, y - 2.2), ...at(12.9, y))
    context.bezierCurveTo(...at(15, y + 2.2), ...at(17, y + 2.2), ...at(19.2, y))
    context.bezierCurveTo(...at(21.4, y - 2.2), ...at(23.3, y - 2.2), ...at(25.5, y))
    context.stroke()
  }
}
