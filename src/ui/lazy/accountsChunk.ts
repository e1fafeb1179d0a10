// One build chunk for linked screens.
export { AccountPage } from '../accounts/AccountPage.tsx'
export { AccountsScreen } from '../accounts/AccountsScreen.tsx'
export { AddAccountsScreen } from '../accounts/AddAccountsScreen.tsx'
export { RemoveAccount } from '../accounts/RemoveAccount.tsx'
export { RevealPrivateKey } from '../accounts/RevealPrivateKey.tsx'
export { RevealPhrase } from '../secrets/RevealPhrase.tsx'
export { ChangePassword } from '../settings/ChangePassword.tsx'
export { Forget } from '../settings/Forget.tsx'
