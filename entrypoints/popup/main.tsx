import { render } from 'preact'
import { connect, listen } from '../../src/messaging.ts'
import type { Events, Wallet } from '../../src/protocol.ts'
import { systemClock } from '../../src/state/clock.ts'
import { createStores } from '../../src/state/stores.ts'
import { App } from '../../src/ui/App.tsx'
import { createAddressBar } from '../../src/ui/addressBar.ts'
import { createDisplay } from '../../src/ui/display.ts'
import { forgetFaults } from '../../src/ui/faultLog.ts'
import { decimalMark } from '../../src/ui/format/numbers.ts'
import { createAround } from './around.ts'
import { lazyKeys } from './keys.ts'

const memory = () => localStorage
const display = createDisplay(memory)
await display.ready
const stores = createStores(connect<Wallet>('wallet'), {
  keys: lazyKeys(),
  clock: systemClock(),
  decimalMark: decimalMark(),
  // The worker opens the approval window on this address.
  purpose: location.hash === '#requests' ? 'requests' : 'form',
  around: createAround(createAddressBar(memory)),
})
listen<Events>('events', stores.events)

// The page's static frame stays until there is something to put in its place.
await stores.load()
const app = document.getElementById('app')

async function show(): Promise<void> {
  if (await display.follow(stores.settings.getState())) {
    stores.trade.setDecimalMark(decimalMark())
    sayNotices()
  }
  if (app !== null) render(<App stores={stores} />, app)
}

/** What the browser is to say, it says in the language that is spoken now. */
function sayNotices(): void {
  if (stores.settings.getState().settings?.notices === undefined) return
  import('../../src/ui/notices.ts')
    .then(({ keepNotices }) => keepNotices(stores.settings))
    .catch(() => undefined)
}

await show()
sayNotices()
stores.settings.subscribe(show)
stores.account.subscribe(({ step }, before) => {
  if (step !== 'welcome' || !['open', 'locked', 'phrase'].includes(before.step)) return
  // The wallet was forgotten, here or in another view: all that this one knows was about it.
  forgetFaults()
  if (stores.purpose === 'form') stores.place.replace('overview')
  import('../../src/ui/parts/secrets/secretClipboard.ts')
    .then(({ secretClipboard }) => secretClipboard.emptyNow())
    .finally(() => location.reload())
})
