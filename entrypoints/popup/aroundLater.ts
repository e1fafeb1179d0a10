import { browser } from 'wxt/browser'
import type { BrowserApi, WindowOpeners } from '../../src/state/browserApi.ts'

/** Firefox's side panel. */
type Sidebar = { sidebarAction?: { open(): Promise<void> } }

type Later = Pick<
  BrowserApi,
  'openTab' | 'openers' | 'opensPanelFirst' | 'setOpensPanelFirst' | 'sizes' | 'hosts'
>

export const aroundLater: Later = {
  async openTab(hash) {
    if ((await browser.tabs.getCurrent()) !== undefined) return false
    await browser.tabs.create({ url: browser.runtime.getURL(`/popup.html${hash}`) })
    window.close()
    return true
  },
  async openers() {
    const [tab, { id }] = await Promise.all([browser.tabs.getCurrent(), browser.windows.getCurrent()])
    const isPopup = browser.extension.getViews({ type: 'popup' }).includes(window)
    const isPanel = tab === undefined && !isPopup
    return {
      hasTab: tab === undefined,
      ...(!isPanel && panelOf(id, isPopup)),
    }
  },
  // Chromium only.
  opensPanelFirst: async () => (await browser.sidePanel?.getPanelBehavior())?.openPanelOnActionClick,
  setOpensPanelFirst: async (isOn) => browser.sidePanel?.setPanelBehavior({ openPanelOnActionClick: isOn }),
  async sizes() {
    const all = await browser.storage.local.get(null)
    return Object.fromEntries(Object.entries(all).map(([key, value]) => [key, bytesOf(key) + bytesOf(value)]))
  },
  hosts: async () => (await browser.permissions.getAll()).origins ?? [],
}

/** Browsers open the panel only synchronously in a click handler. */
function panelOf(windowId: number | undefined, isPopup: boolean): Pick<WindowOpeners, 'panel'> {
  const { sidePanel } = browser
  const { sidebarAction } = browser as Sidebar
  const open =
    sidePanel?.open !== undefined && windowId !== undefined
      ? () => sidePanel.open({ windowId })
      : sidebarAction && (() => sidebarAction.open())
  if (open === undefined) return {}
  return {
    async panel() {
      await open()
      if (isPopup) window.close()
    },
  }
}

function bytesOf(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length
}
