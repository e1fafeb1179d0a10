import { describe, expect, it } from 'vitest'
import { createRouter, parseRoute, routeHref } from '../../src/state/router.ts'
import { standInBar } from '../helpers/state/fakes.ts'

describe('router', () => {
  it('reads the route from the URL hash', () => {
    expect(createRouter(standInBar('#/settings/137')).getState()).toEqual({ at: 'settings', of: '137' })
  })

  it.each(['', '#', '#requests', '#/nowhere', '#/swap/', '#/swap/a/b', '#/__proto__'])(
    'falls back to the last open tab when the hash names no route: %s',
    (hash) => {
      expect(createRouter(standInBar(hash, 'swap')).getState()).toEqual({ at: 'swap' })
      expect(createRouter(standInBar(hash, 'settings')).getState()).toEqual({ at: 'overview' })
      expect(createRouter(standInBar(hash)).getState()).toEqual({ at: 'overview' })
    },
  )

  it('goes to a route and back to the previous one', () => {
    const bar = standInBar('#/swap')
    const place = createRouter(bar)
    place.go('settings')
    place.go('sites')
    expect(bar.read()).toBe('#/sites')
    place.back()
    expect(place.getState()).toEqual({ at: 'settings' })
    place.back()
    expect(place.getState()).toEqual({ at: 'swap' })
  })

  it('goes back to the initial tab when the hash did not name it', () => {
    const place = createRouter(standInBar('', 'swap'))
    place.go('settings')
    place.go('activity')
    place.back()
    place.back()
    expect(place.getState()).toEqual({ at: 'swap' })
  })

  it('goes back to the last tab when the page was opened on another route', () => {
    const bar = standInBar('#/settings', 'swap')
    const place = createRouter(bar)
    place.back()
    expect(place.getState()).toEqual({ at: 'swap' })
    expect(bar.read()).toBe('#/swap')
  })

  it('replaces the current route in the history', () => {
    const bar = standInBar('#/swap')
    const place = createRouter(bar)
    place.go('add')
    place.replace('account', '0xab')
    expect(bar.read()).toBe('#/account/0xab')
    place.back()
    expect(place.getState()).toEqual({ at: 'swap' })
    place.replace('overview')
    expect(bar.lastTab()).toBe('overview')
  })

  it('remembers the last tab and no route above it', () => {
    const bar = standInBar()
    const place = createRouter(bar)
    place.go('swap')
    place.go('settings')
    expect(bar.lastTab()).toBe('swap')
  })

  it.each([
    ['begin', 'create'],
    ['begin', 'watched'],
    ['phrase', 'fresh'],
  ] as const)('resumes the onboarding step at which another view was closed: %s/%s', (at, of) => {
    const closed = standInBar()
    createRouter(closed).go(at, of)
    const bar = standInBar('', 'swap')
    bar.keepStep(closed.lastStep())
    const place = createRouter(bar)
    expect(place.getState()).toEqual({ at, of })
    expect(bar.read()).toBe(routeHref({ at, of }))
    // Back discards it: the next view starts at the tab.
    place.back()
    expect(place.getState()).toEqual({ at: 'swap' })
    expect(bar.lastStep()).toBeUndefined()
  })

  it('keeps the onboarding step of the hash while another route is open', () => {
    const bar = standInBar('#/begin/create')
    const place = createRouter(bar)
    expect(bar.lastStep()).toBe('#/begin/create')
    place.go('network', '1')
    expect(bar.lastStep()).toBe('#/begin/create')
    place.replace('overview', 'welcome')
    expect(bar.lastStep()).toBeUndefined()
  })

  it('resumes the choice of a further network, and forgets it once its pages are left', () => {
    const bar = standInBar()
    const place = createRouter(bar)
    place.go('networks')
    place.go('begin', 'add')
    place.go('begin', 'add-8453')
    expect(bar.lastStep()).toBe('#/begin/add-8453')
    const next = standInBar()
    next.keepStep(bar.lastStep())
    expect(createRouter(next).getState()).toEqual({ at: 'begin', of: 'add-8453' })
    place.replace('networks')
    expect(bar.lastStep()).toBeUndefined()
  })

  it.each(['#/swap', '#/key/0xab', '#/phrase', '#/phrase/other', '#/reset', 'x', ''])(
    'does not resume a hash that is not an onboarding step: %s',
    (hash) => {
      const bar = standInBar('')
      bar.keepStep(hash)
      expect(createRouter(bar).getState()).toEqual({ at: 'overview' })
    },
  )

  it.each(['#requests', '#/settings'])(
    'resumes no kept onboarding step when the page opens at the hash %s',
    (hash) => {
      const bar = standInBar(hash)
      bar.keepStep('#/begin/create')
      expect(createRouter(bar).getState().at).not.toBe('begin')
      expect(bar.read()).toBe(hash)
    },
  )

  it('reads back every parameter that it writes, and ignores malformed escapes', () => {
    for (const of of ['0xabc', 'a/b', 'ä #?%', '..']) {
      expect(parseRoute(routeHref({ at: 'settings', of }))).toEqual({ at: 'settings', of })
    }
    expect(parseRoute('#/settings/%E0%A4%A')).toEqual({ at: 'overview' })
  })
})
