// The screens of keys and accounts are one chunk of the build (Home.tsx): who opens one opens others.
export { AccountPage } from './accounts/AccountPage.tsx'
export { Accounts } from './accounts/AccountsScreen.tsx'
export { AddAccounts } from './accounts/AddAccountsScreen.tsx'
export { Remove } from './accounts/RemoveAccount.tsx'
export { RevealKey } from './accounts/RevealPrivateKey.tsx'
export { Reveal } from './secrets/RevealPhrase.tsx'
export { Password } from './settings/ChangePassword.tsx'
export { Forget } from './settings/Forget.tsx'
