// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from '@openzeppelin/contracts/token/ERC20/ERC20.sol';

/// @notice Balances are parts of a pool, as Lido's stETH. Anyone may change what the pool holds, and stop it.
contract PooledShares {
  event Transfer(address indexed from, address indexed to, uint256 value);
  event Approval(address indexed owner, address indexed spender, uint256 value);

  string public constant name = 'Pooled Shares';
  string public constant symbol = 'stETH';
  uint8 public constant decimals = 18;

  uint256 public getTotalPooledEther;
  uint256 public getTotalShares;
  bool public isStopped;
  mapping(address owner => uint256) public sharesOf;
  mapping(address owner => mapping(address spender => uint256)) public allowance;

  constructor(uint256 pooled, uint256 shares, address holder) {
    (getTotalPooledEther, getTotalShares, sharesOf[holder]) = (pooled, shares, shares);
    emit Transfer(address(0), holder, pooled);
  }

  function rebase(uint256 pooled) external {
    getTotalPooledEther = pooled;
  }

  function stop(bool stopped) external {
    isStopped = stopped;
  }

  function totalSupply() external view returns (uint256) {
    return getTotalPooledEther;
  }

  function balanceOf(address owner) external view returns (uint256) {
    return getPooledEthByShares(sharesOf[owner]);
  }

  function getSharesByPooledEth(uint256 amount) public view returns (uint256) {
    return (amount * getTotalShares) / getTotalPooledEther;
  }

  function getPooledEthByShares(uint256 shares) public view returns (uint256) {
    return (shares * getTotalPooledEther) / getTotalShares;
  }

  function approve(address spender, uint256 value) external returns (bool) {
    allowance[msg.sender][spender] = value;
    emit Approval(msg.sender, spender, value);
    return true;
  }

  function transfer(address to, uint256 value) external returns (bool) {
    _move(msg.sender, to, value);
    return true;
  }

  function transferFrom(address from, address to, uint256 value) external returns (bool) {
    uint256 allowed = allowance[from][msg.sender];
    require(allowed >= value, 'ALLOWANCE_EXCEEDED');
    if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - value;
    _move(from, to, value);
    return true;
  }

  function _move(address from, address to, uint256 value) private {
    require(!isStopped, 'CONTRACT_IS_STOPPED');
    uint256 shares = getSharesByPooledEth(value);
    require(sharesOf[from] >= shares, 'BALANCE_EXCEEDED');
    sharesOf[from] -= shares;
    sharesOf[to] += shares;
    emit Transfer(from, to, value);
  }
}

/// @notice Fixed balances of pooled shares, as Lido's wstETH.
contract WrappedShares is ERC20 {
  PooledShares public immutable stETH;

  constructor(PooledShares pooled) ERC20('Wrapped Pooled Shares', 'wstETH') {
    stETH = pooled;
  }

  function getWstETHByStETH(uint256 amount) external view returns (uint256) {
    return stETH.getSharesByPooledEth(amount);
  }

  function getStETHByWstETH(uint256 amount) external view returns (uint256) {
    return stETH.getPooledEthByShares(amount);
  }

  function wrap(uint256 amount) external returns (uint256 wrapped) {
    require(amount > 0, "wstETH: can't wrap zero stETH");
    wrapped = stETH.getSharesByPooledEth(amount);
    _mint(msg.sender, wrapped);
    stETH.transferFrom(msg.sender, address(this), amount);
  }

  function unwrap(uint256 amount) external returns (uint256 unwrapped) {
    require(amount > 0, 'wstETH: zero amount unwrap not allowed');
    unwrapped = stETH.getPooledEthByShares(amount);
    _burn(msg.sender, amount);
    stETH.transfer(msg.sender, unwrapped);
  }
}
