// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from '@openzeppelin/contracts/token/ERC20/ERC20.sol';
import {IERC20} from '@openzeppelin/contracts/token/ERC20/IERC20.sol';
import {ERC4626} from '@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol';

/// @notice OpenZeppelin's ERC-4626 vault with limits that anyone may set.
contract SavingsVault is ERC4626 {
  uint8 private immutable OFFSET;
  uint256 private mostDeposited = type(uint256).max;
  uint256 private mostRedeemed = type(uint256).max;

  constructor(IERC20 token, uint8 offset) ERC20('Savings Dai', 'sDAI') ERC4626(token) {
    OFFSET = offset;
  }

  function setLimits(uint256 deposited, uint256 redeemed) external {
    (mostDeposited, mostRedeemed) = (deposited, redeemed);
  }

  function maxDeposit(address) public view override returns (uint256) {
    return mostDeposited;
  }

  function maxRedeem(address owner) public view override returns (uint256) {
    uint256 balance = balanceOf(owner);
    return balance < mostRedeemed ? balance : mostRedeemed;
  }

  function _decimalsOffset() internal view override returns (uint8) {
    return OFFSET;
  }
}

/// @notice ERC-4626 vault of an accumulator in rays, as Sky's sUSDS and sDAI. It keeps assets at hand.
contract SavingsRate is ERC20 {
  uint256 private constant RAY = 1e27;
  IERC20 public immutable asset;
  uint256 private immutable PER_SECOND;
  uint256 private chi = 1_057_231_001_234_567_890_123_456_789;
  uint256 private rho = block.timestamp;

  constructor(IERC20 token, uint256 perSecond) ERC20('Savings Rate', 'SR') {
    (asset, PER_SECOND) = (token, perSecond);
  }

  function totalAssets() external view returns (uint256) {
    return convertToAssets(totalSupply());
  }

  function convertToShares(uint256 assets) public view returns (uint256) {
    return (assets * RAY) / _chi();
  }

  function convertToAssets(uint256 shares) public view returns (uint256) {
    return (shares * _chi()) / RAY;
  }

  function previewDeposit(uint256 assets) external view returns (uint256) {
    return convertToShares(assets);
  }

  function previewRedeem(uint256 shares) external view returns (uint256) {
    return convertToAssets(shares);
  }

  function maxDeposit(address) external pure returns (uint256) {
    return type(uint256).max;
  }

  function maxRedeem(address owner) external view returns (uint256) {
    return balanceOf(owner);
  }

  function deposit(uint256 assets, address receiver) external returns (uint256 shares) {
    _drip();
    shares = (assets * RAY) / chi;
    asset.transferFrom(msg.sender, address(this), assets);
    _mint(receiver, shares);
  }

  function redeem(uint256 shares, address receiver, address owner) external returns (uint256 assets) {
    _drip();
    if (owner != msg.sender) _spendAllowance(owner, msg.sender, shares);
    assets = (shares * chi) / RAY;
    _burn(owner, shares);
    asset.transfer(receiver, assets);
  }

  function _drip() private {
    (chi, rho) = (_chi(), block.timestamp);
  }

  function _chi() private view returns (uint256) {
    return chi + (block.timestamp - rho) * PER_SECOND;
  }
}

/// @notice Exchanges a token with a peg for DAI at par less fees, as MakerDAO's LitePSM. Anyone may set fees.
contract PegModule {
  event SellGem(address indexed owner, uint256 value, uint256 fee);
  event BuyGem(address indexed owner, uint256 value, uint256 fee);

  uint256 public constant HALTED = type(uint256).max;
  uint256 private constant WAD = 1e18;

  IERC20 public immutable gem;
  IERC20 public immutable dai;
  address public immutable pocket;
  uint256 public immutable to18ConversionFactor;
  uint256 public tin;
  uint256 public tout;

  constructor(IERC20 gem_, IERC20 dai_, address pocket_, uint256 factor) {
    (gem, dai, pocket, to18ConversionFactor) = (gem_, dai_, pocket_, factor);
  }

  function setFees(uint256 tin_, uint256 tout_) external {
    require(tin_ <= WAD || tin_ == HALTED);
    require(tout_ <= WAD || tout_ == HALTED);
    (tin, tout) = (tin_, tout_);
  }

  function sellGem(address usr, uint256 gemAmt) external returns (uint256 daiOutWad) {
    require(tin != HALTED, 'DssLitePsm/sell-gem-halted');
    daiOutWad = gemAmt * to18ConversionFactor;
    uint256 fee = tin > 0 ? (daiOutWad * tin) / WAD : 0;
    daiOutWad -= fee;
    gem.transferFrom(msg.sender, pocket, gemAmt);
    dai.transfer(usr, daiOutWad);
    emit SellGem(usr, gemAmt, fee);
  }

  function buyGem(address usr, uint256 gemAmt) external returns (uint256 daiInWad) {
    require(tout != HALTED, 'DssLitePsm/buy-gem-halted');
    daiInWad = gemAmt * to18ConversionFactor;
    uint256 fee = tout > 0 ? (daiInWad * tout) / WAD : 0;
    daiInWad += fee;
    dai.transferFrom(msg.sender, address(this), daiInWad);
    gem.transferFrom(pocket, usr, gemAmt);
    emit BuyGem(usr, gemAmt, fee);
  }
}

/// @notice The module with another DAI, as Sky's UsdsPsmWrapper for USDS.
contract PegModuleWrapper {
  PegModule public immutable psm;
  IERC20 public immutable gem;
  IERC20 public immutable dai;

  constructor(PegModule module, IERC20 usds) {
    (psm, gem, dai) = (module, module.gem(), usds);
  }

  function pocket() external view returns (address) {
    return psm.pocket();
  }

  function to18ConversionFactor() external view returns (uint256) {
    return psm.to18ConversionFactor();
  }

  function tin() external view returns (uint256) {
    return psm.tin();
  }

  function tout() external view returns (uint256) {
    return psm.tout();
  }
}
