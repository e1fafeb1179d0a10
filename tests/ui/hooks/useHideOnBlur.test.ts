import { expect, it } from 'vitest'
import { onlyWhileVisible } from '../../../src/ui/hooks/useHideOnBlur.ts'

function standInView() {
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' as DocumentVisibilityState })
  const turn = (state: DocumentVisibilityState) => {
    page.visibilityState = state
    page.dispatchEvent(new Event('visibilitychange'))
  }
  return { view: Object.assign(new EventTarget(), { document: page }) as unknown as Window, turn }
}

it('returns the secret when the page stays visible', async () => {
  expect(await onlyWhileVisible(async () => 'words', standInView().view)).toBe('words')
})

it('drops a secret when the page was hidden meanwhile, even if it is visible again', async () => {
  const { view, turn } = standInView()
  const work = async () => {
    turn('hidden')
    turn('visible')
    return 'words'
  }
  expect(await onlyWhileVisible(work, view)).toBeUndefined()
})

it('drops a secret when the page is hidden from the start', async () => {
  const { view, turn } = standInView()
  turn('hidden')
  expect(await onlyWhileVisible(async () => 'words', view)).toBeUndefined()
})
