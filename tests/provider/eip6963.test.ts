import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { announce } from '../../src/provider/eip6963.ts'
import { createProvider } from '../../src/provider/provider.ts'
import { standInWindow } from '../helpers/provider/fakeWindow.ts'

type Detail = { info: Record<'uuid' | 'name' | 'icon' | 'rdns', string>; provider: object }

function start() {
  const { page, mutate } = standInWindow()
  const heard: Detail[] = []
  page.addEventListener('eip6963:announceProvider', (event) =>
    heard.push((event as CustomEvent<Detail>).detail),
  )
  const { provider } = createProvider(
    () => undefined,
    () => undefined,
    () => undefined,
  )
  announce(page, provider)
  return { page, heard, provider, mutate }
}

describe('EIP-6963 announcement', () => {
  it('announces the provider at once, and again on each request', () => {
    const { page, heard, provider } = start()
    expect(heard).toHaveLength(1)
    page.dispatchEvent(new Event('eip6963:requestProvider'))
    page.dispatchEvent(new Event('eip6963:requestProvider'))
    expect(heard).toHaveLength(3)
    expect(new Set(heard.map((detail) => detail.provider))).toEqual(new Set([provider]))
    expect(new Set(heard.map(({ info }) => info.uuid)).size).toBe(1)
  })

  it('announces again after the document is rewritten, and once per request', () => {
    const { page, heard, mutate } = start()
    mutate()
    expect(heard).toHaveLength(2)
    page.dispatchEvent(new Event('eip6963:requestProvider'))
    expect(heard).toHaveLength(3)
  })

  it('freezes the announced detail, but not the provider', () => {
    const [detail] = start().heard
    expect(Object.isFrozen(detail)).toBe(true)
    expect(Object.isFrozen(detail?.info)).toBe(true)
    expect(Object.isFrozen(detail?.provider)).toBe(false)
  })

  it('has the fields required by EIP-6963, with a new uuid for each page', () => {
    const info = start().heard[0]!.info
    expect(Object.keys(info).sort()).toEqual(['icon', 'name', 'rdns', 'uuid'])
    expect(info.name).toBe('Sluice')
    expect(info.rdns).toMatch(/^[a-z]+(\.[a-z]+)+$/)
    expect(info.uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(start().heard[0]?.info.uuid).not.toBe(info.uuid)
  })

  it('has a square icon of at least 96 pixels, as a data URI', () => {
    const { icon } = start().heard[0]!.info
    expect(icon).toMatch(/^data:image\/svg\+xml,[\w%.~!*'()-]+$/)
    const picture = decodeURIComponent(icon.replace(/^[^,]*,/, ''))
    const [, width, height] = /<svg[^>]* width="(\d+)" height="(\d+)"/.exec(picture) ?? []
    expect(width).toBe(height)
    expect(Number(width)).toBeGreaterThanOrEqual(96)
  })

  it('uses the logo of the popup as icon', () => {
    const picture = decodeURIComponent(start().heard[0]!.info.icon)
    const shape = readFileSync(join(import.meta.dirname, '../../src/ui/components/Logo.tsx'), 'utf8')
    const paths = [...shape.matchAll(/ d="([^"]+)"/g)].map(([, path]) => path!)
    expect(paths).toHaveLength(2)
    for (const path of paths) expect(picture).toContain(path)
  })
})
