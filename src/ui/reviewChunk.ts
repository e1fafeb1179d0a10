// What follows the form is one chunk of the build (Home.tsx): what these screens share would otherwise be fetched with the form.
export { AllowancesScreen } from './allowances/AllowancesScreen.tsx'
export { ReviewScreen } from './swap/review/ReviewScreen.tsx'
export { SwapProgress } from './swap/SwapProgress.tsx'
