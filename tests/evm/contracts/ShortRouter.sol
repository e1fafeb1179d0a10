// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface IToken {
  function transfer(address to, uint256 value) external;
  function transferFrom(address from, address to, uint256 value) external;
}

/// @title A router with short entry points, as the public one has them, that trusts its pools.
contract ShortRouter {
  function unoswap(uint256 token, uint256 amount, uint256 minReturn, uint256 dex) external {
    swap(token, amount, minReturn, dex, msg.sender);
  }

  function unoswapTo(uint256 to, uint256 token, uint256 amount, uint256 minReturn, uint256 dex) external {
    swap(token, amount, minReturn, dex, address(uint160(to)));
  }

  function ethUnoswap(uint256 minReturn, uint256 dex) external payable {
    Pool(address(uint160(dex))).trade{value: msg.value}(msg.sender, msg.sender, minReturn);
  }

  function swap(uint256 token, uint256 amount, uint256 minReturn, uint256 dex, address to) internal {
    IToken(address(uint160(token))).transferFrom(msg.sender, address(uint160(dex)), amount);
    Pool(address(uint160(dex))).trade(msg.sender, to, minReturn);
  }

  /// @notice What a pool wants besides, of what the owner still allows.
  function take(address token, address owner, uint256 amount) external {
    IToken(token).transferFrom(owner, msg.sender, amount);
  }
}

/// @title A pool that does as it likes.
contract Pool {
  enum Mood {
    Honest,
    OtherToken,
    Nothing,
    TooLittle,
    TakesMore,
    HonestWhenTried,
    PaysAnother,
    Reverts
  }

  Mood internal immutable mood;
  IToken internal immutable bought;
  IToken internal immutable other;

  constructor(Mood mood_, IToken bought_, IToken other_) {
    mood = mood_;
    bought = bought_;
    other = other_;
  }

  function trade(address owner, address to, uint256 least) external payable {
    require(mood != Mood.Reverts, 'no');
    if (mood == Mood.Nothing) return;
    if (mood == Mood.HonestWhenTried && block.basefee > 0 && tx.gasprice > 0) return;
    if (mood == Mood.TakesMore) ShortRouter(msg.sender).take(address(other), owner, 1);
    if (mood == Mood.OtherToken) return other.transfer(to, 1_000_000_000);
    bought.transfer(mood == Mood.PaysAnother ? address(this) : to, mood == Mood.TooLittle ? least - 1 : least);
  }
}
