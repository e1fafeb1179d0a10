import { useState } from 'preact/hooks'
import type { Address } from '../../domain/token/token.ts'
import { plural, t } from '../../i18n/translate.ts'
import type { OwnAccount } from '../../protocol.ts'
import { AddressLabel } from '../components/address/AddressLabel.tsx'
import { ErrorMessage } from '../components/alerts/ErrorMessage.tsx'
import { CopyButton } from '../components/fields/CopyButton.tsx'
import { Icon } from '../components/Icon.tsx'
import { Page } from '../components/Page.tsx'
import { accountName } from '../format/accountName.ts'
import { useMutation } from '../hooks/data/useMutation.ts'
import { useStore, useStores } from '../hooks/data/useStore.ts'
import { type AccountGroup, groupAccounts, moveTo } from './accountGroups.ts'
import '../style/lazy/accounts.css'

export function AccountsScreen() {
  const { account, router } = useStores()
  const state = useStore(account, (now) => now)
  const [isArranging, setArranging] = useState(false)
  /** Announced to screen readers. */
  const [said, setSaid] = useState('')
  const arrange = useMutation(account.order)
  if (state.step !== 'open') return null
  const { owned, seeds } = state
  const move = (moved: OwnAccount, target: OwnAccount | undefined) => {
    if (target === undefined || target === moved) return
    arrange.run(moveTo(owned, moved.address, target.address))
    setSaid(
      t('{name} moved to {other}’s position.', { name: accountName(moved), other: accountName(target) }),
    )
  }
  return (
    <Page
      title={t('Accounts')}
      onBack={router.back}
      foot={
        isArranging ? (
          <button type="button" class="main" onClick={() => setArranging(false)}>
            {t('Done')}
          </button>
        ) : (
          <button type="button" class="main" onClick={() => router.go('add')}>
            {t('Add or import account')}
          </button>
        )
      }
    >
      <p class="dim small accounts-head">
        <span>
          {isArranging
            ? t('Drag to reorder, or use the arrows.')
            : plural(owned.length, '{count} account', '{count} accounts')}
        </span>
        {owned.length > 1 && !isArranging && (
          <button type="button" class="link" onClick={() => setArranging(true)}>
            {t('Reorder')}
          </button>
        )}
      </p>
      {arrange.error && <ErrorMessage error={arrange.error} />}
      {groupAccounts(owned, seeds).map((group) => (
        <section key={group.kind === 'seed' ? group.seed.id : group.kind} aria-label={toTitle(group)}>
          <h2 class="part accounts-part">
            <span>{toTitle(group)}</span>
            {group.kind === 'seed' && !group.seed.backedUp && <span class="warn">{t('Not backed up')}</span>}
          </h2>
          <ul class="panel group">
            {isArranging
              ? group.accounts.map((one, index) => (
                  <Movable
                    key={one.address}
                    one={one}
                    above={group.accounts[index - 1]}
                    below={group.accounts[index + 1]}
                    onMove={(target) => move(one, target)}
                    onDropped={(address) => {
                      const dropped = group.accounts.find((other) => other.address === address)
                      if (dropped !== undefined) move(dropped, one)
                    }}
                  />
                ))
              : group.accounts.map((one) => <OneAccount key={one.address} one={one} />)}
            {group.kind === 'seed' && !isArranging && <SeedActs group={group} />}
          </ul>
        </section>
      ))}
      <p class="unseen" role="status">
        {said}
      </p>
    </Page>
  )
}

function toTitle(group: AccountGroup): string {
  if (group.kind === 'seed') return t('Recovery phrase {number}', { number: group.number })
  return group.kind === 'key' ? t('Private keys') : t('Watch-only')
}

function WhoLabel({ one }: { one: OwnAccount }) {
  return (
    <>
      <AddressLabel address={one.address} name={accountName(one)} />
      {one.isHidden && <span class="tag">{t('Hidden')}</span>}
    </>
  )
}

function OneAccount({ one }: { one: OwnAccount }) {
  const { router } = useStores()
  return (
    <li class="account-line">
      <button type="button" class="list-row" onClick={() => router.go('account', one.address)}>
        <WhoLabel one={one} />
      </button>
      <CopyButton text={one.address} label={t('Copy address of {of}', { of: accountName(one) })} />
      <Icon name="next" size={18} />
    </li>
  )
}

function SeedActs({ group: { seed } }: { group: Extract<AccountGroup, { kind: 'seed' }> }) {
  const { account, router } = useStores()
  const add = useMutation(() => account.add(seed.id))
  return (
    <li class="seed-acts">
      <button type="button" class="link" disabled={add.isRunning} onClick={() => add.run()}>
        {add.isRunning ? t('Adding…') : t('Add account')}
      </button>
      <button type="button" class="link" onClick={() => router.go('phrase', seed.id)}>
        {t('Show phrase')}
      </button>
      <button type="button" class="link bad" onClick={() => router.go('remove', seed.id)}>
        {t('Remove')}
      </button>
      {add.error && <ErrorMessage error={add.error} />}
    </li>
  )
}

type MovableProps = {
  one: OwnAccount
  above: OwnAccount | undefined
  below: OwnAccount | undefined
  onMove(target: OwnAccount | undefined): void
  onDropped(address: Address): void
}

/** Drag type. Restricts drops to accounts. */
const kind = 'application/x-sluice-account'

function Movable({ one, above, below, onMove, onDropped }: MovableProps) {
  const [isOver, setOver] = useState(false)
  const name = accountName(one)
  return (
    <li
      class="list-row movable"
      draggable
      data-over={isOver}
      onDragStart={(event) => event.dataTransfer?.setData(kind, one.address)}
      onDragOver={(event) => {
        if (!event.dataTransfer?.types.includes(kind)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        onDropped((event.dataTransfer?.getData(kind) ?? '') as Address)
      }}
    >
      <WhoLabel one={one} />
      <button
        type="button"
        class="round up"
        aria-label={t('Move {name} up', { name })}
        aria-disabled={above === undefined}
        onClick={() => onMove(above)}
      >
        <Icon name="down" size={18} />
      </button>
      <button
        type="button"
        class="round"
        aria-label={t('Move {name} down', { name })}
        aria-disabled={below === undefined}
        onClick={() => onMove(below)}
      >
        <Icon name="down" size={18} />
      </button>
    </li>
  )
}
