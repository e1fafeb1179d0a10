// The screens of keys and accounts are one chunk of the build (Home.tsx): who opens one opens others.
export { AccountPage } from './AccountPage.tsx'
export { Accounts } from './Accounts.tsx'
export { AddAccounts } from './AddAccounts.tsx'
export { Forget } from './Forget.tsx'
export { Password } from './Password.tsx'
export { Remove } from './Remove.tsx'
export { Reveal } from './Reveal.tsx'
export { RevealKey } from './RevealKey.tsx'
