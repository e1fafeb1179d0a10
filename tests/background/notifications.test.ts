import { beforeEach, describe, expect, it } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import { createNotifications } from '../../src/background/notifications.ts'
import { createSettings } from '../../src/background/settings.ts'
import type { Activity } from '../../src/domain/activity/activity.ts'
import type { NotificationSettings } from '../../src/domain/network/network.ts'
import { memoryArea } from '../helpers/background/memoryArea.ts'
import { failed, swap } from '../helpers/samples/activitySamples.ts'

const words: Required<NotificationSettings> = {
  done: 'It is done.',
  'below-minimum': 'It paid too little.',
  failed: 'It failed.',
  'needs-unlock': 'Unlock, please.',
}
const { id } = swap().intent

beforeEach(() => {
  fakeBrowser.reset()
})

async function create(notices?: NotificationSettings) {
  const settings = createSettings(memoryArea())
  await settings.update((before) => ({ ...before, ...(notices && { notices }) }))
  return createNotifications(settings)
}

const shown = () => fakeBrowser.notifications.getAll()

describe('notifications', () => {
  const stands: [Activity['outcome'], string][] = [
    [{ status: 'done', received: 5n }, words.done],
    [{ status: 'below-minimum', received: 0n }, words['below-minimum']],
    [failed('reverted'), words.failed],
    [{ status: 'needs-unlock' }, words['needs-unlock']],
  ]

  it.each(stands)('shows the text stored by a view for the outcome %o', async (outcome, message) => {
    const tell = await create(words)
    await tell(swap({ outcome }))
    expect(await shown()).toMatchObject({ [id]: { title: 'Sluice', message } })
    // Others can see notifications.
    expect(JSON.stringify(await shown())).not.toMatch(/0x|DAI|USDC/)
  })

  it('uses the failure text for a swap below its minimum when older settings lack a text for it', async () => {
    const { 'below-minimum': _new, ...older } = words
    const tell = await create(older)
    await tell(swap({ outcome: { status: 'below-minimum', received: 0n } }))
    expect(await shown()).toMatchObject({ [id]: { message: words.failed } })
  })

  it('shows nothing while a swap is under way', async () => {
    const tell = await create(words)
    await tell(swap({ outcome: { status: 'working' } }))
    expect(await shown()).toEqual({})
  })

  it('shows nothing for a cancelled swap', async () => {
    const tell = await create(words)
    await tell(swap({ outcome: failed('cancelled') }))
    expect(await shown()).toEqual({})
  })

  it('shows nothing until the user enables notifications', async () => {
    const tell = await create()
    await tell(swap())
    expect(await shown()).toEqual({})
  })

  it('shows nothing while a view is open', async () => {
    const tell = await create(words)
    fakeBrowser.runtime.onMessage.addListener(() => undefined)
    await tell(swap())
    expect(await shown()).toEqual({})
  })

  it('shows nothing after the browser withdrew the permission', async () => {
    const { notifications } = fakeBrowser
    Object.assign(fakeBrowser, { notifications: undefined })
    try {
      const tell = await create(words)
      await tell(swap())
    } finally {
      Object.assign(fakeBrowser, { notifications })
    }
    expect(await shown()).toEqual({})
  })

  it('ignores settings that cannot be read', async () => {
    const broken = createNotifications({ get: () => Promise.reject(new Error('The disk is full.')) })
    await expect(broken(swap())).resolves.toBeUndefined()
  })
})
