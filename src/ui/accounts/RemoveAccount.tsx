import { plural, t } from '../../i18n/translate.ts'
import type { OwnAccount, OwnSeed } from '../../protocol.ts'
import { AddressLabel } from '../components/address/AddressLabel.tsx'
import { ErrorMessage } from '../components/alerts/ErrorMessage.tsx'
import { Warning } from '../components/alerts/Warning.tsx'
import { HoldButton } from '../components/fields/HoldButton.tsx'
import { Page } from '../components/Page.tsx'
import { accountName } from '../format/accountName.ts'
import { useMutation } from '../hooks/data/useMutation.ts'
import { useStore, useStores } from '../hooks/data/useStore.ts'
import type { ScreenProps } from '../screenProps.ts'

/** Removes an account, or a phrase with all its accounts. */
export function RemoveAccount({ of }: Pick<ScreenProps, 'of'>) {
  const { account, router } = useStores()
  const state = useStore(account, (now) => now)
  const remove = useMutation(async (going: Going) => {
    if (going.seed !== undefined) await account.removeSeed(going.seed.id)
    else await account.remove(going.one.address)
    router.back()
  })
  if (state.step !== 'open') return null
  const going = findGoing(state, of)
  if (going === undefined) {
    return (
      <Page title={t('Remove')} onBack={router.back}>
        <p class="nothing">{t('This account is no longer in your wallet.')}</p>
      </Page>
    )
  }
  const { seed, accounts } = going
  const stays = state.accounts.some((one) => !accounts.includes(one))
  return (
    <Page
      title={seed === undefined ? t('Remove account') : t('Remove recovery phrase')}
      onBack={router.back}
      foot={
        stays && (
          <HoldButton
            label={t('Hold to remove')}
            pressed={t('Remove')}
            agree={t('I understand what I’ll lose')}
            isDanger
            isDisabled={remove.isRunning}
            onHeld={() => remove.run(going)}
          />
        )
      }
    >
      {seed !== undefined && (
        <p class="dim">
          {plural(
            accounts.length,
            'This also removes its account.',
            'This also removes its {count} accounts.',
          )}
        </p>
      )}
      <ul class="panel group">
        {accounts.map((one) => (
          <li key={one.address} class="list-row">
            <AddressLabel address={one.address} name={accountName(one)} />
          </li>
        ))}
      </ul>
      {stays ? (
        <Warning>{formatLoss(going)}</Warning>
      ) : (
        <Warning>
          {t(
            'At least one account must stay visible. Add or unhide another account first, or reset the wallet in Settings.',
          )}
        </Warning>
      )}
      <p class="dim small">{t('Your assets stay on the blockchain.')}</p>
      {remove.error && <ErrorMessage error={remove.error} />}
    </Page>
  )
}

type Going =
  | { seed: OwnSeed; accounts: OwnAccount[] }
  | { seed: undefined; accounts: OwnAccount[]; one: OwnAccount }

/** Removing the only account of a phrase removes the phrase. */
function findGoing(
  { owned, seeds }: { owned: OwnAccount[]; seeds: OwnSeed[] },
  of: string | undefined,
): Going | undefined {
  const one = owned.find(({ address }) => address === of)
  const siblings = owned.filter(({ kind, secret }) => kind === 'seed' && secret === (one?.secret ?? of))
  const seed = seeds.find(({ id }) => id === (one?.secret ?? of))
  if (seed !== undefined && (one === undefined || siblings.length === 1)) return { seed, accounts: siblings }
  return one && { seed: undefined, accounts: [one], one }
}

function formatLoss(going: Going): string {
  if (going.seed !== undefined) {
    return going.seed.backedUp
      ? t(
          'The recovery phrase will be deleted from this browser. Only your written backup can restore these accounts: make sure you have it.',
        )
      : t(
          'This recovery phrase isn’t backed up. Without it, the funds in these accounts are lost permanently.',
        )
  }
  const { kind } = going.one
  if (kind === 'seed')
    return t('You can add this account again later: its recovery phrase stays in your wallet.')
  if (kind === 'key') {
    return t(
      'The private key will be deleted from this browser. Without a copy of it, the funds in this account are lost permanently.',
    )
  }
  return t('This account is watch-only. You won’t lose anything, and you can add it again at any time.')
}
