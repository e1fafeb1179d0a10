import * as v from 'valibot'
import { afterEach, expect, it } from 'vitest'
import { notificationSettingsSchema } from '../../src/background/settings.ts'
import {
  changeSettings,
  type NotificationSettings,
  type SettingsChanges,
} from '../../src/domain/network/network.ts'
import { languages } from '../../src/domain/preferences.ts'
import { setLocale } from '../../src/i18n/translate.ts'
import { createSettings } from '../../src/state/settings.ts'
import { notificationText, syncNotifications } from '../../src/ui/notifications.ts'
import { settings, standInAround, standInWallet } from '../helpers/state/fakes.ts'

const english = { locale: 'en', table: new Map() }
const german = { locale: 'de', table: new Map([['Transaction confirmed', 'Eine Transaktion ist fertig.']]) }
afterEach(() => setLocale(english))

async function open(notices?: NotificationSettings) {
  const saved: SettingsChanges[] = []
  let stored = { ...settings, ...(notices && { notices }) }
  const store = createSettings(
    standInWallet({
      settings: async () => stored,
      async saveSettings(changes) {
        saved.push(changes)
        stored = changeSettings(stored, changes)
      },
    }),
    standInAround,
  )
  return { store, saved }
}

it.each(languages)(
  'returns notification texts in %s that match the schema and contain no placeholder',
  async (language) => {
    const catalogue =
      language === 'en'
        ? {}
        : (await import(`../../src/i18n/${language}.json`, { with: { type: 'json' } })).default
    setLocale({ locale: language, table: new Map(Object.entries(catalogue)) })
    const texts = notificationText()
    expect(v.is(notificationSettingsSchema, texts)).toBe(true)
    expect(Object.values(texts).join('')).not.toContain('{')
  },
)

it('saves the notification texts again when the language changed', async () => {
  const { store, saved } = await open(notificationText())
  await store.load()
  setLocale(german)
  await syncNotifications(store)
  expect(saved).toEqual([{ notices: { ...notificationText(), done: 'Eine Transaktion ist fertig.' } }])
  expect(store.getState().settings?.notices).toEqual(notificationText())
})

it('saves nothing when the notification texts are in the current language', async () => {
  const { store, saved } = await open(notificationText())
  await store.load()
  await syncNotifications(store)
  expect(saved).toEqual([])
})

it('never turns notifications on when they are off or the settings are not loaded', async () => {
  const off = await open()
  await off.store.load()
  const unknown = await open(notificationText())
  setLocale(german)
  await syncNotifications(off.store)
  await syncNotifications(unknown.store)
  expect([...off.saved, ...unknown.saved]).toEqual([])
  expect(off.store.getState().settings).not.toHaveProperty('notices')
})
