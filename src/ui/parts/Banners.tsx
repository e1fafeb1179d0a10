import { isOpen } from '../../state/swap.ts'
import { use, useStores } from '../use.ts'

type Props = { backedUp: boolean; onBackUp(): void }

/** What matters more than the form below it. */
export function Banners({ backedUp, onBackUp }: Props) {
  const { swap } = useStores()
  const running = use(swap, ({ swaps }) => swaps.find(isOpen))
  return (
    <>
      {!backedUp && (
        <div class="banner">
          <span class="grow">Write down your recovery phrase</span>
          <button type="button" class="link" onClick={onBackUp}>
            Back up
          </button>
        </div>
      )}
      {running && (
        <div class="banner">
          <span class="grow">A swap is on its way</span>
          <button type="button" class="link" onClick={() => swap.follow(running.intent.id)}>
            Follow
          </button>
        </div>
      )}
    </>
  )
}
