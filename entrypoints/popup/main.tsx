import { render } from 'preact'
import { browser } from 'wxt/browser'
import { connect, listen } from '../../src/messaging.ts'
import type { Events, Wallet } from '../../src/protocol.ts'
import { systemClock } from '../../src/state/clock.ts'
import { createStores } from '../../src/state/stores.ts'
import { App } from '../../src/ui/App.tsx'
import { createDisplay } from '../../src/ui/display.ts'
import { decimalMark } from '../../src/ui/numbers.ts'
import { lazyKeys } from './keys.ts'

const display = createDisplay(() => localStorage)
await display.ready
const stores = createStores(connect<Wallet>('wallet'), {
  keys: lazyKeys(),
  clock: systemClock(),
  decimalMark: decimalMark(),
  // The worker opens the approval window on this address.
  purpose: location.hash === '#requests' ? 'requests' : 'form',
  askHost(url) {
    const { protocol, hostname } = new URL(url)
    return browser.permissions.request({ origins: [`${protocol}//${hostname}/*`] })
  },
})
listen<Events>('events', stores.events)

// The page's static frame stays until there is something to put in its place.
await stores.load()
const app = document.getElementById('app')

async function show(): Promise<void> {
  if (await display.follow(stores.settings.getState())) stores.trade.setDecimalMark(decimalMark())
  if (app !== null) render(<App stores={stores} />, app)
}

await show()
stores.settings.subscribe(show)
