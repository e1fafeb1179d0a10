// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// @title What tests trade: a token of 18 decimals whose transfers lose something.
abstract contract Lossy {
  uint8 public constant decimals = 18;
  mapping(address owner => mapping(address spender => uint256)) public allowance;

  event Transfer(address indexed from, address indexed to, uint256 amount);

  function approve(address spender, uint256 amount) external returns (bool) {
    allowance[msg.sender][spender] = amount;
    return true;
  }

  function transfer(address to, uint256 amount) external returns (bool) {
    move(msg.sender, to, amount, false);
    return true;
  }

  function transferFrom(address from, address to, uint256 amount) external returns (bool) {
    if (allowance[from][msg.sender] != type(uint256).max) allowance[from][msg.sender] -= amount;
    move(from, to, amount, true);
    return true;
  }

  function move(address from, address to, uint256 amount, bool isPulled) internal virtual;
}

/// @title A token that keeps 5 % of some transfers.
contract Taxed is Lossy {
  enum Place {
    IntoPool,
    OutOfPool,
    OnPull,
    ToWallet
  }

  string public constant symbol = 'TAX';
  string public constant name = 'Taxed';
  mapping(address owner => uint256) public balanceOf;
  Place private immutable place;
  address private pool;

  constructor(Place place_) {
    place = place_;
    balanceOf[msg.sender] = 1e27;
  }

  /// @notice From now on there is a tax.
  function open(address pool_) external {
    pool = pool_;
  }

  function move(address from, address to, uint256 amount, bool isPulled) internal override {
    bool isTaxed = pool != address(0) &&
      ((place == Place.IntoPool && to == pool) ||
        (place == Place.OutOfPool && from == pool) ||
        (place == Place.OnPull && isPulled) ||
        (place == Place.ToWallet && to.code.length == 0));
    uint256 arriving = isTaxed ? amount - amount / 20 : amount;
    balanceOf[from] -= amount;
    balanceOf[to] += arriving;
    emit Transfer(from, to, arriving);
  }
}

/// @title A token that counts in shares, as stETH does: a transfer loses a unit, or does not.
contract Shares is Lossy {
  string public constant symbol = 'SHARE';
  string public constant name = 'Shares';
  uint256 private constant TOTAL = 1.234567890123456789e27;
  uint256 private constant ALL_SHARES = 1e27;
  mapping(address owner => uint256) private shares;

  constructor() {
    shares[msg.sender] = ALL_SHARES;
  }

  function balanceOf(address owner) external view returns (uint256) {
    return (shares[owner] * TOTAL) / ALL_SHARES;
  }

  function move(address from, address to, uint256 amount, bool) internal override {
    uint256 moved = (amount * ALL_SHARES) / TOTAL;
    shares[from] -= moved;
    shares[to] += moved;
    emit Transfer(from, to, amount);
  }
}
