// One build chunk: code shared by these screens stays out of the form's.
export { AllowancesScreen } from '../allowances/AllowancesScreen.tsx'
export { ReviewScreen } from '../swap/review/ReviewScreen.tsx'
export { SwapProgress } from '../swap/SwapProgress.tsx'
