import { h } from 'preact'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { WalletError } from '../../../src/errors.ts'
import { lazy } from '../../../src/ui/lazy/lazy.tsx'
import { clearDocument, draw, standInDocument } from '../../helpers/ui/render.ts'

beforeEach(standInDocument)
afterEach(clearDocument)

function drawn(load: Parameters<typeof lazy<object>>[0]) {
  return draw(h(lazy<object>(load), {}))
}

it('renders a component once its code is loaded', async () => {
  const place = await drawn(async () => () => h('p', {}, 'Here it is.'))
  await vi.waitFor(() => expect(place.text).toBe('Here it is.'), 100_000)
})

it('offers “Try again” when the code fails to load', async () => {
  const place = await drawn(async () => {
    throw new WalletError('internal', 'The chunk is gone.')
  })
  await vi.waitFor(() => expect(place.text).toContain('Try again'), 100_000)
})
