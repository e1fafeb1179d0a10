import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { calendarAt } from '../../../domain/calendar.ts'
import { t } from '../../../i18n/translate.ts'
import { Sheet } from '../../components/Sheet.tsx'
import { saveFile } from '../../downloadFile.ts'
import { cardSize, drawShareCard, type ShareCard, shareCardTexts } from './shareCard.ts'

type Props = { card: ShareCard; onClose(): void }

/** Draws the picture here; it leaves the device only if the user passes it on. */
export function ShareSheet({ card, onClose }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [said, setSaid] = useState<string>()
  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (context) drawShareCard(context, card, document.documentElement.dir === 'rtl' ? 'rtl' : 'ltr')
  }, [])
  const withPicture = (use: (picture: Blob) => Promise<void> | void, done: string) => {
    canvas.current?.toBlob(async (picture) => {
      if (picture === null) return setSaid(t('The image couldn’t be copied. Save it instead.'))
      try {
        await use(picture)
        setSaid(done)
      } catch {
        setSaid(t('The image couldn’t be copied. Save it instead.'))
      }
    }, type)
  }
  const { pair, kept, more, where } = shareCardTexts(card)
  return (
    <Sheet title={t('Share')} onClose={onClose}>
      <canvas
        ref={canvas}
        class="share-card"
        width={cardSize.width}
        height={cardSize.height}
        role="img"
        aria-label={[pair, kept, more, ...where].filter(Boolean).join(', ')}
      />
      <p class="aside small dim">
        {t('Drawn on this device. Shows no amounts, addresses or transaction hash.')}
      </p>
      <div class="two">
        <button
          type="button"
          class="second"
          onClick={() => withPicture((picture) => saveFile(fileName(card), type, picture), t('Image saved'))}
        >
          {t('Save image')}
        </button>
        <button
          type="button"
          class="main"
          onClick={() =>
            withPicture(
              (picture) => navigator.clipboard.write([new ClipboardItem({ [type]: picture })]),
              t('Image copied'),
            )
          }
        >
          {t('Copy image')}
        </button>
      </div>
      <p class="share-said small" role="status">
        {said}
      </p>
    </Sheet>
  )
}

const type = 'image/png'

function fileName({ at }: ShareCard): string {
  return `sluice-swap-${calendarAt()(at)}.png`
}
